import { KnownTexts, type Line, type Stretch } from './known-texts.ts';
import type { Letters } from './letters.ts';

export interface Part {
  place: number;
  /** Whether it gives its text away by itself, or only beside what does. */
  isTelling: boolean;
}

/** What of a line is a piece of a text, from the first letter up to, not including, the second. */
export type OnPiece = (start: number, end: number, isTelling: boolean) => void;

const WAYS = [1, -1] as const;

/**
 * Finds pieces of long texts by their parts, all of which have the same length and stand side by side. A piece goes on to
 * either side as long as it does in any text that has the part there: no further than the next part, which is found itself.
 */
export class PartTexts {
  readonly #texts: KnownTexts;
  readonly #length: number;
  readonly #isTelling: Uint8Array;

  private constructor(texts: KnownTexts, length: number) {
    this.#texts = texts;
    this.#length = length;
    this.#isTelling = new Uint8Array(texts.groupCount);
  }

  static *of(letters: Letters, parts: readonly Part[], length: number): Generator<void, PartTexts> {
    const places = parts.map(({ place }) => place);
    const { texts, groups } = yield* KnownTexts.of(letters, places, { width: length, reach: length, ways: WAYS });
    const found = new PartTexts(texts, length);
    for (const [number, { isTelling }] of parts.entries()) if (isTelling) found.#isTelling[groups[number]!] = 1;
    return found;
  }

  search(line: Line, onPiece: OnPiece): PartSearch {
    return new PartSearch({ texts: this.#texts, length: this.#length, isTelling: this.#isTelling }, line, onPiece);
  }
}

interface Known {
  texts: KnownTexts;
  length: number;
  isTelling: Uint8Array;
}

/** Through one line: on, a stretch after the other, and when all of it was looked at, back. */
export class PartSearch {
  readonly #known: Known;
  readonly #line: Line;
  readonly #onPiece: OnPiece;
  readonly #places: number[] = [];
  readonly #groups: number[] = [];
  /** Between which places the parts touch. What is a piece that far need not be looked at. */
  #begin = 0;
  #end = -1;
  #isBack = false;

  constructor(known: Known, line: Line, onPiece: OnPiece) {
    this.#known = known;
    this.#line = line;
    this.#onPiece = onPiece;
  }

  goOn(stretch: Stretch): void {
    const { texts, length, isTelling } = this.#known;
    texts.find(this.#line, stretch, (at, group) => {
      this.#places.push(at);
      this.#groups.push(group);
      if (at > this.#end) this.#begin = at;
      this.#end = at + length;
      const isKnown = at - this.#begin >= length;
      const before = isKnown ? 0 : texts.look(this.#line, { at, group, way: -1 }).common;
      this.#onPiece(at - before, this.#end, isTelling[group] === 1);
    });
  }

  /** Past so many parts at most; answers whether there are more. */
  goBack(count: number): boolean {
    const { texts, length, isTelling } = this.#known;
    for (let left = count; left > 0 && this.#places.length > 0; left--) {
      const [at, group] = [this.#places.pop()!, this.#groups.pop()!];
      const partEnd = at + length;
      if (!this.#isBack || partEnd < this.#begin) this.#end = partEnd;
      this.#isBack = true;
      this.#begin = at;
      const isKnown = this.#end - partEnd >= length;
      const after = isKnown ? 0 : texts.look(this.#line, { at, group, way: 1 }).common;
      if (after > 0) this.#onPiece(at, partEnd + after, isTelling[group] === 1);
    }
    return this.#places.length > 0;
  }
}
