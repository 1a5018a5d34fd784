import { drawFormat, type Drawing } from './patterns.ts';

/** Each turns some of the text's modules over, so that no large plain area is left. */
const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** The symbol with the mask that is the easiest to read, as the standard counts it. */
export function chooseMask(drawing: Drawing): boolean[][] {
  const [first, ...others] = masks.map((_, mask) => withMask(drawing, mask));
  let best = { modules: first!, penalty: penaltyOf(first!) };
  for (const modules of others) {
    const penalty = penaltyOf(modules);
    if (penalty < best.penalty) best = { modules, penalty };
  }
  return best.modules;
}

function withMask({ modules, isFunction }: Drawing, mask: number): boolean[][] {
  const isTurned = masks[mask]!;
  const masked = modules.map((cells, row) =>
    cells.map((isDark, column) => (isFunction[row]![column] ? isDark : isDark !== isTurned(row, column))),
  );
  drawFormat({ modules: masked, isFunction: isFunction.map((cells) => [...cells]) }, mask);
  return masked;
}

function penaltyOf(modules: readonly boolean[][]): number {
  const columns = modules.map((_, index) => modules.map((cells) => cells[index]!));
  const lines = [...modules, ...columns].map((cells) => cells.map(Number).join(''));
  return sum(lines.map(penaltyOfLine)) + penaltyOfSquares(modules) + penaltyOfBalance(modules);
}

/** Long runs of one colour, and what looks like a finder. */
function penaltyOfLine(line: string): number {
  const runs = line.match(/0{5,}|1{5,}/g) ?? [];
  const likeFinders = line.match(/(?=10111010000|00001011101)/g) ?? [];
  return sum(runs.map(({ length }) => length - 2)) + 40 * likeFinders.length;
}

function penaltyOfSquares(modules: readonly boolean[][]): number {
  let penalty = 0;
  for (let row = 1; row < modules.length; row++) {
    for (let column = 1; column < modules.length; column++) {
      const isDark = modules[row]![column];
      const around = [modules[row - 1]![column], modules[row]![column - 1], modules[row - 1]![column - 1]];
      if (around.every((other) => other === isDark)) penalty += 3;
    }
  }
  return penalty;
}

function penaltyOfBalance(modules: readonly boolean[][]): number {
  const cells = modules.flat();
  const darkShare = cells.filter(Boolean).length / cells.length;
  return 10 * Math.floor(Math.abs(darkShare - 0.5) * 20);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
