import { atOnce } from '../lib/in-slices.ts';
import type { Line } from './known-texts.ts';
import { writeLetters, type Letters } from './letters.ts';
import { Marks, type Span } from './marks.ts';
import { PartTexts, type Part } from './part-texts.ts';
import type { SecretForm } from './secret-forms.ts';
import { LEAST, WholeTexts } from './whole-texts.ts';

/** After so many there may be a pause. */
const STRETCH = 256;
/** And after so many letters of a line. */
const LINE_STRETCH = 2048;
/** A part of fewer different letters than this and one gives nothing away, and is anybody's: a row of dashes or spaces. */
const PLAIN_LETTERS = 3;

/**
 * Finds texts in lines, however many and however long they are, and however alike: each letter of a line is looked at a
 * bounded number of times, whatever stands in the line and in the texts. A long text is known by its parts, so that it is
 * found where a line holds a piece of it only; from a part that was found, it is followed to both sides.
 */
export class PatternIndex {
  /** The length of the longest pattern: a shorter piece of a text may go unnoticed. */
  readonly longest: number;
  readonly #whole: WholeTexts;
  readonly #parts: readonly PartTexts[];

  private constructor(longest: number, whole: WholeTexts, parts: readonly PartTexts[]) {
    this.longest = longest;
    this.#whole = whole;
    this.#parts = parts;
  }

  /** With pauses: of half a mebibyte of values it takes a while. No form has a line break in it. */
  static *of(forms: readonly SecretForm[]): Generator<void, PatternIndex> {
    const { letters, starts } = yield* writeLetters(forms.map(({ text }) => text));
    const whole: number[] = [];
    const parts = new Map<number, Part[]>();
    let longest = 0;
    for (const [number, { text, partLength }] of forms.entries()) {
      const start = starts[number]!;
      const isWhole = text.length <= 2 * partLength;
      longest = Math.max(longest, isWhole ? text.length : partLength);
      if (isWhole) whole.push(start);
      else yield* addParts(listOf(parts, partLength), letters, { start, length: text.length, partLength });
      if (number % STRETCH === 0) yield;
    }
    const all: PartTexts[] = [];
    for (const [partLength, list] of parts) all.push(yield* PartTexts.of(letters, list, partLength));
    return new PatternIndex(longest, yield* WholeTexts.of(letters, whole), all);
  }

  get isEmpty(): boolean {
    return this.longest === 0;
  }

  /** Where the texts stand, in order; those that touch are one. */
  spansIn(text: string): Span[] {
    return atOnce(this.search(text));
  }

  /** The same with pauses, where the text is long. */
  *search(text: string): Generator<void, Span[]> {
    if (text.length < LEAST) return [];
    const line = lineOf(text);
    const marks = new Marks(text.length);
    const mark = (start: number, end: number, isTelling = true): void => marks.add(start, end, isTelling);
    const searches = this.#parts.map((parts) => parts.search(line, mark));
    for (let from = 0; from < text.length; from += LINE_STRETCH) {
      if (from > 0) yield;
      const stretch = { from, to: from + LINE_STRETCH };
      this.#whole.find(line, stretch, mark);
      for (const each of searches) each.goOn(stretch);
    }
    for (const each of searches) while (each.goBack(LINE_STRETCH)) yield;
    return marks.spans();
  }
}

/** Its parts, one beside the other, and the last letters. Where none is telling, all are. */
function* addParts(
  list: Part[],
  letters: Letters,
  { start, length, partLength }: { start: number; length: number; partLength: number },
): Generator<void, void> {
  const first = list.length;
  const last = start + length - partLength;
  let isAnyTelling = false;
  for (let place = start; ; place = Math.min(place + partLength, last)) {
    const isTelling = hasManyLetters(letters, place, partLength);
    list.push({ place, isTelling });
    isAnyTelling ||= isTelling;
    if (place === last) break;
    if (list.length % STRETCH === 0) yield;
  }
  if (isAnyTelling) return;
  for (let number = first; number < list.length; number++) list[number]!.isTelling = true;
}

function hasManyLetters(letters: Letters, place: number, length: number): boolean {
  const seen: number[] = [];
  for (let at = place; at < place + length && seen.length <= PLAIN_LETTERS; at++) {
    const letter = letters[at]!;
    if (!seen.includes(letter)) seen.push(letter);
  }
  return seen.length > PLAIN_LETTERS;
}

function listOf(parts: Map<number, Part[]>, length: number): Part[] {
  const list = parts.get(length) ?? [];
  parts.set(length, list);
  return list;
}

/** For lines in which there is no pause: what stands behind a line's end is not looked at. */
const room = new Uint16Array(LINE_STRETCH);

function lineOf(text: string): Line {
  const letters = text.length > room.length ? new Uint16Array(text.length) : room;
  for (let at = 0; at < text.length; at++) letters[at] = text.charCodeAt(at);
  return { letters, length: text.length };
}
