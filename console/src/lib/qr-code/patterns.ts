export interface Drawing {
  /** Rows of columns; true is dark. */
  modules: boolean[][];
  /** Which of them are fixed, and carry nothing of the text. */
  isFunction: boolean[][];
}

interface VersionedDrawing extends Drawing {
  version: number;
}

interface Spot {
  row: number;
  column: number;
}

export function drawFunctionPatterns({ version, ...drawing }: VersionedDrawing): void {
  const size = drawing.modules.length;
  for (let at = 0; at < size; at++) {
    set(drawing, { row: 6, column: at }, at % 2 === 0);
    set(drawing, { row: at, column: 6 }, at % 2 === 0);
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const) {
    drawRings(drawing, { row, column }, 4);
  }
  for (const spot of alignmentSpots(version, size)) drawRings(drawing, spot, 2);
  drawFormat(drawing, 0);
}

/** Squares in one another, dark and light; around a finder there is a light margin besides. */
function drawRings(drawing: Drawing, center: Spot, reach: number): void {
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const distance = Math.max(Math.abs(x), Math.abs(y));
      const isDark = reach === 4 ? distance !== 2 && distance !== 4 : distance !== 1;
      set(drawing, { row: center.row + y, column: center.column + x }, isDark);
    }
  }
}

function alignmentSpots(version: number, size: number): Spot[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const places = [6, ...Array.from({ length: count - 1 }, (_, index) => size - 7 - step * (count - 2 - index))];
  const last = count - 1;
  const isAtFinder = (a: number, b: number) =>
    (a === 0 && b === 0) || (a === 0 && b === last) || (a === last && b === 0);
  return places.flatMap((row, a) => places.flatMap((column, b) => (isAtFinder(a, b) ? [] : { row, column })));
}

/** Fifteen bits, twice: the level (M is 0) and the mask, with what corrects them. */
export function drawFormat(drawing: Drawing, mask: number): void {
  const size = drawing.modules.length;
  const bits = withRemainder(mask, { length: 10, polynomial: 0x537 }) ^ 0x5412;
  const isDark = (bit: number) => ((bits >>> bit) & 1) === 1;
  for (let bit = 0; bit < 15; bit++) {
    const [row, column] = firstFormatSpot(bit);
    set(drawing, { row, column }, isDark(bit));
    const second = bit < 8 ? { row: 8, column: size - 1 - bit } : { row: size - 15 + bit, column: 8 };
    set(drawing, second, isDark(bit));
  }
  set(drawing, { row: size - 8, column: 8 }, true);
}

function firstFormatSpot(bit: number): [row: number, column: number] {
  if (bit < 6) return [bit, 8];
  if (bit < 8) return [bit + 1, 8];
  return bit === 8 ? [8, 7] : [8, 14 - bit];
}

/** Eighteen bits, twice, from version 7 on. */
export function drawVersion({ version, ...drawing }: VersionedDrawing): void {
  if (version < 7) return;
  const size = drawing.modules.length;
  const bits = withRemainder(version, { length: 12, polynomial: 0x1f25 });
  for (let bit = 0; bit < 18; bit++) {
    const isDark = ((bits >>> bit) & 1) === 1;
    const [far, near] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
    set(drawing, { row: near, column: far }, isDark);
    set(drawing, { row: far, column: near }, isDark);
  }
}

function withRemainder(value: number, { length, polynomial }: { length: number; polynomial: number }): number {
  let remainder = value;
  for (let step = 0; step < length; step++) {
    remainder = (remainder << 1) ^ ((remainder >>> (length - 1)) * polynomial);
  }
  return (value << length) | remainder;
}

/** In columns of two from the right, up and down in turn, around what is fixed. */
export function placeCodewords({ modules, isFunction }: Drawing, codewords: readonly number[]): void {
  const size = modules.length;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    // The column of the timing pattern is passed over.
    if (right === 6) right = 5;
    const isUpwards = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const row = isUpwards ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (isFunction[row]![column]) continue;
        modules[row]![column] = (((codewords[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1;
        bit++;
      }
    }
  }
}

function set({ modules, isFunction }: Drawing, { row, column }: Spot, isDark: boolean): void {
  if (modules[row]?.[column] === undefined) return;
  modules[row][column] = isDark;
  isFunction[row]![column] = true;
}
