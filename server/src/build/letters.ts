import { randomFillSync } from 'node:crypto';

/** Texts one after the other, as numbers: a place among them takes four bytes, and no text is copied again. */
export type Letters = Uint16Array;

/** Stands before, between and after the texts, none of which has one: it is lines in which they are looked for. */
export const SEPARATOR = 10;

/** What a letter counts. Each process has its own, so that nobody can choose texts that count the same. */
const WORTHS = randomFillSync(new Int32Array(0x1_00_00));
const BASE = randomFillSync(new Int32Array(1))[0]! | 1;

/** After so many letters there may be a pause. */
const STRETCH = 0x40_00;

export interface Written {
  letters: Letters;
  /** Where each text begins. */
  starts: Int32Array;
}

export function* writeLetters(texts: readonly string[]): Generator<void, Written> {
  const letters = new Uint16Array(texts.reduce((sum, text) => sum + text.length + 1, 1)).fill(SEPARATOR);
  const starts = new Int32Array(texts.length);
  let place = 1;
  for (const [number, text] of texts.entries()) {
    starts[number] = place;
    for (let at = 0; at < text.length; at++) {
      letters[place++] = text.charCodeAt(at);
      if (place % STRETCH === 0) yield;
    }
    place++;
  }
  return { letters, starts };
}

/** A number for each text of one width, nearly never the same for two; that of the next place follows from the last. */
export class Count {
  readonly #width: number;
  /** What a letter counts by the time that it is left behind. */
  readonly #left: number;

  constructor(width: number) {
    this.#width = width;
    let left = 1;
    for (let times = 0; times < width; times++) left = Math.imul(left, BASE);
    this.#left = left;
  }

  at(letters: Letters, place: number): number {
    let count = 0;
    for (let next = place; next < place + this.#width; next++) {
      count = (Math.imul(count, BASE) + WORTHS[letters[next]!]!) | 0;
    }
    return count;
  }

  /** At this place, from what it is at the place before. */
  next(count: number, letters: Letters, place: number): number {
    const come = WORTHS[letters[place + this.#width - 1]!]!;
    const gone = WORTHS[letters[place - 1]!]!;
    return (Math.imul(count, BASE) + come - Math.imul(gone, this.#left)) | 0;
  }
}
