import { Count, SEPARATOR, type Letters } from './letters.ts';
import { sortPlaces } from './sort-places.ts';

/** After so many texts there may be a pause. */
const STRETCH = 1024;
/** Of what comes of a count times this, the highest bits depend on all of it. */
const SPREAD = 0x9e_37_79_b1;
/** Where a text or a line is over: before any letter. */
const OVER = -1;

/** Which way one looks from the first letters of a text: at what comes after them, or back at what was before. */
export type Way = 1 | -1;

export interface Line {
  letters: Letters;
  length: number;
}

/** From a place up to, not including, another. */
export interface Stretch {
  from: number;
  to: number;
}

interface KnownBy {
  /** How many of its first letters tell a text. */
  width: number;
  /** How far from these it is looked at. */
  reach: number;
  ways: readonly Way[];
}

/**
 * Places of texts that are found in a line by their first letters, in time that hardly depends on how many there are:
 * those that begin alike are a group, in which they are sorted by what comes after, and by what was before.
 */
export class KnownTexts {
  readonly #letters: Letters;
  readonly #width: number;
  readonly #reach: number;
  readonly #count: Count;
  /** By what the first letters count: the number of their group, from 1 on. */
  readonly #groupAt: Int32Array;
  readonly #countAt: Int32Array;
  readonly #shift: number;
  /** Where first letters of each group stand. */
  readonly #heads: number[] = [];
  /** Where each group's places are among the sorted ones. */
  #bounds: Int32Array = new Int32Array(1);
  readonly #sorted = new Map<Way, Sorted>();
  #isBehind = false;

  private constructor(letters: Letters, { width, reach }: KnownBy, size: number) {
    this.#letters = letters;
    this.#width = width;
    this.#reach = reach;
    this.#count = new Count(width);
    // Three of four are free, so that one look tells most letters of a line.
    const bits = Math.max(4, Math.ceil(Math.log2(4 * size + 1)));
    this.#groupAt = new Int32Array(2 ** bits);
    this.#countAt = new Int32Array(2 ** bits);
    this.#shift = 32 - bits;
  }

  /** And in which group each place is. */
  static *of(
    letters: Letters,
    places: readonly number[],
    by: KnownBy,
  ): Generator<void, { texts: KnownTexts; groups: Int32Array }> {
    const texts = new KnownTexts(letters, by, places.length);
    const groups = yield* texts.#gather(places);
    for (const way of by.ways) texts.#sorted.set(way, yield* texts.#sort(places, groups, way));
    return { texts, groups };
  }

  get groupCount(): number {
    return this.#heads.length;
  }

  /** The places of a group are those of the answer from the one number up to, not including, the other. */
  placesOf(group: number): { places: Int32Array; from: number; to: number } {
    return { places: this.#sorted.get(1)!.places, from: this.#bounds[group]!, to: this.#bounds[group + 1]! };
  }

  /** Tells of each place in a stretch of a line where the first letters of a group begin. */
  find({ letters, length }: Line, { from, to }: Stretch, onFound: (at: number, group: number) => void): void {
    const end = Math.min(to, length - this.#width + 1);
    if (from >= end || this.groupCount === 0) return;
    let count = this.#count.at(letters, from);
    for (let at = from; ;) {
      const group = this.#groupOf(count, letters, at);
      if (group >= 0) onFound(at, group);
      if (++at >= end) return;
      count = this.#count.next(count, letters, at);
    }
  }

  /**
   * Looks from first letters that begin at a place of the line which text of their group has the most in common with it.
   * The answer says how much, and of the last that is not behind the line in their order which it is, and how much.
   */
  look(line: Line, { at, group, way }: { at: number; group: number; way: Way }): Look {
    const { places, withLower, withHigher } = this.#sorted.get(way)!;
    const from = way === 1 ? at + this.#width : at - 1;
    let [low, high] = [this.#bounds[group]! - 1, this.#bounds[group + 1]!];
    let [commonLow, commonHigh] = [0, 0];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      const isNearLow = commonLow >= commonHigh;
      const known = isNearLow ? withLower[middle]! : withHigher[middle]!;
      let common = isNearLow ? commonLow : commonHigh;
      // More than the line, and it is on the same side of it as the neighbour; less, and it is on the other.
      let isBehind = isNearLow ? known < common : known > common;
      if (known === common) {
        common = this.#commonWith(line, { at: from, place: this.#beside(places[middle]!, way), way, known });
        isBehind = this.#isBehind;
      } else common = Math.min(known, common);
      if (isBehind) [high, commonHigh] = [middle, common];
      else [low, commonLow] = [middle, common];
    }
    return { common: Math.max(commonLow, commonHigh), last: low, commonWithLast: commonLow };
  }

  /** How much two places have in common beside their first letters. */
  commonOf(a: number, b: number, way: Way): number {
    const letters = this.#letters;
    const [placeA, placeB] = [this.#beside(a, way), this.#beside(b, way)];
    let common = 0;
    for (; common < this.#reach; common++) {
      const letter = letters[placeA + way * common]!;
      if (letter === SEPARATOR || letter !== letters[placeB + way * common]) break;
    }
    return common;
  }

  #groupOf(count: number, letters: Letters, at: number): number {
    const size = this.#groupAt.length;
    let slot = Math.imul(count, SPREAD) >>> this.#shift;
    for (; this.#groupAt[slot] !== 0; slot = slot + 1 === size ? 0 : slot + 1) {
      const group = this.#groupAt[slot]! - 1;
      if (this.#countAt[slot] === count && this.#beginsSo(group, letters, at)) return group;
    }
    return -1 - slot;
  }

  #beginsSo(group: number, letters: Letters, at: number): boolean {
    const head = this.#heads[group]!;
    for (let next = 0; next < this.#width; next++) {
      if (this.#letters[head + next] !== letters[at + next]) return false;
    }
    return true;
  }

  *#gather(places: readonly number[]): Generator<void, Int32Array> {
    const groups = new Int32Array(places.length);
    for (const [number, place] of places.entries()) {
      const count = this.#count.at(this.#letters, place);
      const found = this.#groupOf(count, this.#letters, place);
      groups[number] = found >= 0 ? found : this.#begin(-1 - found, count, place);
      if (number % STRETCH === 0) yield;
    }
    this.#bounds = boundsOf(groups, this.groupCount);
    return groups;
  }

  #begin(slot: number, count: number, place: number): number {
    this.#countAt[slot] = count;
    return (this.#groupAt[slot] = this.#heads.push(place)) - 1;
  }

  *#sort(places: readonly number[], groups: Int32Array, way: Way): Generator<void, Sorted> {
    const next = this.#bounds.slice();
    const sorted = new Int32Array(places.length);
    for (const [number, place] of places.entries()) sorted[next[groups[number]!]!++] = place;
    const all = { places: sorted, withLower: new Uint8Array(places.length), withHigher: new Uint8Array(places.length) };
    const compare = (a: number, b: number): number => this.#compare(a, b, way);
    for (let group = 0; group < this.groupCount; group++) {
      const [from, to] = [this.#bounds[group]!, this.#bounds[group + 1]!];
      if (to - from > 1) {
        yield* sortPlaces(sorted, { from, to }, compare);
        this.#relate(all, { low: from - 1, high: to, from, to, way });
      }
      if (group % STRETCH === 0) yield;
    }
    return all;
  }

  /** Writes down what each middle of a search has in common with both ends of it there; answers what these have. */
  #relate(
    all: Sorted,
    { low, high, ...group }: { low: number; high: number; from: number; to: number; way: Way },
  ): number {
    if (high - low === 1) {
      return low < group.from || high >= group.to ? 0 : this.commonOf(all.places[low]!, all.places[high]!, group.way);
    }
    const middle = (low + high) >>> 1;
    const lower = (all.withLower[middle] = this.#relate(all, { ...group, low, high: middle }));
    const higher = (all.withHigher[middle] = this.#relate(all, { ...group, low: middle, high }));
    return Math.min(lower, higher);
  }

  #compare(a: number, b: number, way: Way): number {
    const common = this.commonOf(a, b, way);
    if (common === this.#reach) return 0;
    return this.#letterAt(this.#beside(a, way) + way * common) - this.#letterAt(this.#beside(b, way) + way * common);
  }

  /** How much a text has in common with the line, of which a part is known; and whether it is behind it. */
  #commonWith(
    { letters, length }: Line,
    { at, place, way, known }: { at: number; place: number; way: Way; known: number },
  ): number {
    const texts = this.#letters;
    let common = known;
    this.#isBehind = false;
    for (; common < this.#reach; common++) {
      const letter = texts[place + way * common]!;
      if (letter === SEPARATOR) break;
      const next = at + way * common;
      if (next >= 0 && next < length && letters[next] === letter) continue;
      this.#isBehind = next < 0 || next >= length || letter > letters[next]!;
      break;
    }
    return common;
  }

  /** From where on one looks. */
  #beside(place: number, way: Way): number {
    return way === 1 ? place + this.#width : place - 1;
  }

  #letterAt(place: number): number {
    const letter = this.#letters[place]!;
    return letter === SEPARATOR ? OVER : letter;
  }
}

/** Of each place, what it has in common with those between which a search comes to it. */
interface Sorted {
  places: Int32Array;
  withLower: Uint8Array;
  withHigher: Uint8Array;
}

interface Look {
  common: number;
  last: number;
  commonWithLast: number;
}

/** Where each begins when they stand one group after the other. */
function boundsOf(groups: Int32Array, count: number): Int32Array {
  const bounds = new Int32Array(count + 1);
  for (const group of groups) bounds[group + 1]!++;
  for (let group = 0; group < count; group++) bounds[group + 1]! += bounds[group]!;
  return bounds;
}
