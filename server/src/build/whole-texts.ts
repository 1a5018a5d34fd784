import { KnownTexts, type Line, type Stretch } from './known-texts.ts';
import { SEPARATOR, type Letters } from './letters.ts';

/** No text is shorter. */
export const LEAST = 4;
/** Longer ones are known by their parts. */
export const LONGEST = 64;
const NONE = -1;
const STRETCH = 1024;

/** Finds texts that are not long where they stand whole. */
export class WholeTexts {
  readonly #texts: KnownTexts;
  /** In their order: how long each is, and which is the longest of the others that it begins with. */
  readonly #lengths: Int32Array;
  readonly #beginsWith: Int32Array;

  private constructor(texts: KnownTexts, size: number) {
    this.#texts = texts;
    this.#lengths = new Int32Array(size);
    this.#beginsWith = new Int32Array(size).fill(NONE);
  }

  static *of(letters: Letters, places: readonly number[]): Generator<void, WholeTexts> {
    const { texts } = yield* KnownTexts.of(letters, places, { width: LEAST, reach: LONGEST - LEAST, ways: [1] });
    const whole = new WholeTexts(texts, places.length);
    for (let group = 0; group < texts.groupCount; group++) yield* whole.#relate(letters, group);
    return whole;
  }

  /** Tells of the longest text that begins at each place of a stretch. */
  find(line: Line, stretch: Stretch, onFound: (at: number, end: number) => void): void {
    this.#texts.find(line, stretch, (at, group) => {
      const { last, commonWithLast } = this.#texts.look(line, { at, group, way: 1 });
      let longest = last < this.#texts.placesOf(group).from ? NONE : last;
      // Whatever the line begins with, the last one before it in their order does too.
      while (longest !== NONE && this.#lengths[longest]! > LEAST + commonWithLast) longest = this.#beginsWith[longest]!;
      if (longest !== NONE) onFound(at, at + this.#lengths[longest]!);
    });
  }

  *#relate(letters: Letters, group: number): Generator<void, void> {
    const { places, from, to } = this.#texts.placesOf(group);
    for (let number = from; number < to; number++) {
      const place = places[number]!;
      this.#lengths[number] = letters.indexOf(SEPARATOR, place) - place;
      if (number > from) this.#beginsWith[number] = this.#beginningOf(number, places);
      if (number % STRETCH === 0) yield;
    }
  }

  #beginningOf(number: number, places: Int32Array): number {
    const common = LEAST + this.#texts.commonOf(places[number - 1]!, places[number]!, 1);
    // One that is the same is none that it begins with.
    if (common === this.#lengths[number]) return this.#beginsWith[number - 1]!;
    let before = number - 1;
    while (before !== NONE && this.#lengths[before]! > common) before = this.#beginsWith[before]!;
    return before;
  }
}
