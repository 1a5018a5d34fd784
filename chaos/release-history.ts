/**
 * What was asked to be live in one environment, in its order, and what visitors may be shown because of that. Who asks
 * last wins, so once something is known to be live, nothing that was asked for before it is shown any more.
 */
export class ReleaseHistory {
  readonly #asked: AskedRelease[] = [];
  readonly #live: { at: number; index: number }[] = [];

  /** Before it is asked for. The id is known by then where it is a rollback. */
  ask(words: string, id: string | null = null): ReleaseAsked {
    const asked: AskedRelease = { words, id, askedAt: performance.now(), state: 'doubtful' };
    this.#asked.push(asked);
    return {
      acknowledged: (given) => Object.assign(asked, { id: given, state: 'acknowledged' }),
      refused: () => (asked.state = 'refused'),
    };
  }

  /** The platform has said that this is what every edge serves. */
  noteLive(id: string, at = performance.now()): void {
    const isNamed = (each: AskedRelease) => each.id === id && each.state !== 'refused';
    // Who was never answered may have been heard much later: then it is not known which of them this is.
    if (this.#asked.some((each) => isNamed(each) && each.state === 'doubtful')) return;
    const last = this.#live.at(-1)?.index ?? 0;
    const index = this.#asked.findIndex((each, position) => position >= last && isNamed(each));
    if (index > last || (index === last && this.#live.length === 0)) this.#live.push({ at, index });
  }

  /** Whether a visitor who came then may be shown this. */
  mayShow(words: string, startedAt: number): boolean {
    const first = this.#firstAt(startedAt);
    return this.#asked.some(
      (each, index) =>
        each.words === words && each.state !== 'refused' && (index >= first || each.state === 'doubtful'),
    );
  }

  /** What was known to be live then; undefined where nothing was. */
  liveAt(at: number): string | undefined {
    return this.#asked[this.#firstAt(at)]?.words;
  }

  /** When it was asked for last; undefined where nobody knows of it. */
  askedAt(id: string): number | undefined {
    return this.#asked.findLast((each) => each.id === id && each.state !== 'refused')?.askedAt;
  }

  /** Whether somebody has gone back to it: then it was live once. */
  isAskedAgain(id: string): boolean {
    return this.#asked.filter((each) => each.id === id && each.state !== 'refused').length > 1;
  }

  #firstAt(time: number): number {
    return this.#live.findLast(({ at }) => at <= time)?.index ?? 0;
  }
}

interface AskedRelease {
  words: string;
  id: string | null;
  askedAt: number;
  state: 'doubtful' | 'acknowledged' | 'refused';
}

/** How it ended; neither is called where that is not known. */
export interface ReleaseAsked {
  acknowledged(id: string): void;
  refused(): void;
}
