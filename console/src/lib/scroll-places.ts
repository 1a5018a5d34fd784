/** What can be scrolled. */
interface View {
  topPx: () => number;
  /** As far as it can be scrolled now. */
  mostPx: () => number;
  scrollTo: (topPx: number) => void;
  nowMs: () => number;
}

/** What comes later than this, whoever looks has begun to read without. */
export const PATIENCE_MS = 10_000;

/**
 * Where each entry of the history was scrolled to, for the way back. What a page shows comes after the page itself: it
 * is scrolled as it grows, until it is there or somebody does something else.
 */
export class ScrollPlaces {
  readonly #view: View;
  readonly #places = new Map<string, number>();
  #wanted: { topPx: number; untilMs: number } | null = null;

  constructor(view: View) {
    this.#view = view;
  }

  /** While it is on its way to a place, where it is says nothing. */
  note(entry: string): void {
    if (!this.#wanted) this.#places.set(entry, this.#view.topPx());
  }

  comeBack(entry: string): void {
    const topPx = this.#places.get(entry) ?? 0;
    this.#wanted = topPx > 0 ? { topPx, untilMs: this.#view.nowMs() + PATIENCE_MS } : null;
    this.grow();
  }

  /** To be called when the page has another height. */
  grow(): void {
    if (!this.#wanted) return;
    const { topPx, untilMs } = this.#wanted;
    if (this.#view.nowMs() > untilMs) return this.stop();
    const mostPx = this.#view.mostPx();
    this.#view.scrollTo(Math.min(topPx, mostPx));
    if (mostPx >= topPx) this.stop();
  }

  stop(): void {
    this.#wanted = null;
  }
}
