/** Of a text, from the first character up to, not including, the second. */
export interface Span {
  start: number;
  end: number;
}

/** What of a line is marked, in any order; in time that grows as the line and the marks do. */
export class Marks {
  readonly #length: number;
  /** By where it begins, where what is marked so ends; what is telling, and what is beside such only. */
  #telling: Int32Array | null = null;
  #beside: Int32Array | null = null;

  constructor(length: number) {
    this.#length = length;
  }

  add(start: number, end: number, isTelling: boolean): void {
    const ends = isTelling
      ? (this.#telling ??= new Int32Array(this.#length))
      : (this.#beside ??= new Int32Array(this.#length));
    if (ends[start]! < end) ends[start] = end;
  }

  /** Those that touch are one; where none of them is telling, they are none. */
  spans(): Span[] {
    if (!this.#telling) return [];
    const spans: Span[] = [];
    let [start, end, isTelling] = [0, -1, false];
    for (let at = 0; at < this.#length; at++) {
      const telling = this.#telling[at]!;
      const reach = Math.max(telling, this.#beside?.[at] ?? 0);
      if (reach === 0) continue;
      if (at > end) {
        if (isTelling) spans.push({ start, end });
        [start, end, isTelling] = [at, reach, false];
      }
      end = Math.max(end, reach);
      isTelling ||= telling > 0;
    }
    if (isTelling) spans.push({ start, end });
    return spans;
  }
}
