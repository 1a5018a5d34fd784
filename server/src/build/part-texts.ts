import { KnownTexts, type Line } from './known-texts.ts';
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

  find(line: Line, onPiece: OnPiece): void {
    const places: number[] = [];
    const groups: number[] = [];
    this.#texts.find(line, (at, group) => void (places.push(at), groups.push(group)));
    const length = this.#length;
    // Where the parts that touch begin. What is known to be of a piece that far need not be looked at.
    let begin = 0;
    let end = -1;
    for (const [number, at] of places.entries()) {
      const group = groups[number]!;
      if (at > end) begin = at;
      end = at + length;
      const isKnown = at - begin >= length;
      const before = isKnown ? 0 : this.#texts.look(line, { at, group, way: -1 }).common;
      onPiece(at - before, end, this.#isTelling[group] === 1);
    }
    begin = Infinity;
    for (let number = places.length - 1; number >= 0; number--) {
      const [at, group] = [places[number]!, groups[number]!];
      if (at + length < begin) end = at + length;
      begin = at;
      const isKnown = end - (at + length) >= length;
      const after = isKnown ? 0 : this.#texts.look(line, { at, group, way: 1 }).common;
      if (after > 0) onPiece(at, at + length + after, this.#isTelling[group] === 1);
    }
  }
}
