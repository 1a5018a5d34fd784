/** So many are counted at every report. */
const FEW = 100;

/**
 * How many edges there are. The store counts them row by row, for each that reports: so the more there are, the more
 * seldom they are counted, and what all their reports cost together grows no faster than their number.
 */
export class EdgeCount {
  #edges = 0;
  #reports = 0;

  /** As it was told last, for one report; undefined where it is to be counted again. */
  known(): number | undefined {
    return ++this.#reports * FEW < this.#edges ? this.#edges : undefined;
  }

  note(edges: number): void {
    if (this.#reports * FEW >= this.#edges) this.#reports = 0;
    this.#edges = edges;
  }
}
