import type { StreamReader } from '@lilac/contract/client';

interface PageReaderDeps {
  isHidden: () => boolean;
  /** Told whenever that may have changed. */
  onChange: (listener: () => void) => void;
  /** Runs the work later; the answer cancels it. */
  schedule: (work: () => void, delayMs: number) => () => void;
}

/** Who looks at another tab for a moment finds everything as it was. */
export const HIDDEN_MS = 5000;

/** Whoever sees the page reads its streams: a tab in the back leaves the connections to the one in front. */
export class PageReader implements StreamReader {
  readonly #deps: PageReaderDeps;
  readonly #waiting = new Set<() => void>();
  #leaving = new AbortController();
  #cancelLeaving: (() => void) | null = null;

  constructor(deps: PageReaderDeps) {
    this.#deps = deps;
    deps.onChange(() => this.#look());
    this.#look();
  }

  leaving = (): AbortSignal => this.#leaving.signal;

  present = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve) => {
      if (!this.#leaving.signal.aborted || signal?.aborted) return resolve();
      const end = () => {
        this.#waiting.delete(end);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      this.#waiting.add(end);
      signal?.addEventListener('abort', end);
    });

  #look(): void {
    if (this.#deps.isHidden()) {
      this.#cancelLeaving ??= this.#deps.schedule(() => this.#leaving.abort(), HIDDEN_MS);
      return;
    }
    this.#cancelLeaving?.();
    this.#cancelLeaving = null;
    if (this.#leaving.signal.aborted) this.#leaving = new AbortController();
    for (const end of this.#waiting) end();
  }
}
