interface ReachDeps {
  /** Whether the platform answers a small question now; never throws. */
  isAnswering(): Promise<boolean>;
  /** Runs the work later; the answer cancels it. */
  schedule(work: () => void, delayMs: number): () => void;
}

/** What has no answer for so long makes one ask whether anybody is there. */
const PATIENCE_MS = 10_000;
const ASK_AGAIN_MS = 3000;

/** Whether the platform can be reached, as told by what is asked of it anyway. */
export class Reach {
  readonly #deps: ReachDeps;
  readonly #listeners = new Set<() => void>();
  readonly #returnListeners = new Set<() => void>();
  /** What nobody has answered yet. */
  readonly #open = new Set<AbortController>();
  #isLost = false;
  #isAsking = false;
  #cancelAsking = () => {};

  constructor(deps: ReachDeps) {
    this.#deps = deps;
  }

  isLost = (): boolean => this.#isLost;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Told when answers come again. */
  onReturn = (listener: () => void): (() => void) => {
    this.#returnListeners.add(listener);
    return () => this.#returnListeners.delete(listener);
  };

  /** The same function, which is listened to. */
  watch(ask: typeof fetch): typeof fetch {
    return async (input, init) => {
      const cancelDoubt = this.#deps.schedule(() => void this.#doubt(), PATIENCE_MS);
      const earlier = [...this.#open];
      const question = new AbortController();
      const signals = [question.signal, init?.signal ?? []].flat();
      this.#open.add(question);
      try {
        const response = await ask(input, { ...init, signal: AbortSignal.any(signals) });
        // What is left of the answer is not to be taken back.
        this.#open.delete(question);
        if (response.status < 500) this.#enter(false, earlier);
        else void this.#doubt();
        return response;
      } catch (error) {
        if (signals.every(({ aborted }) => !aborted)) void this.#doubt();
        throw error;
      } finally {
        this.#open.delete(question);
        cancelDoubt();
      }
    };
  }

  /** One question that fails may be its own fault, so another is asked before anybody is told. */
  async #doubt(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#cancelAsking();
    const earlier = [...this.#open];
    this.#enter(!(await this.#deps.isAnswering()), earlier);
    this.#isAsking = false;
    if (this.#isLost) this.#cancelAsking = this.#deps.schedule(() => void this.#doubt(), ASK_AGAIN_MS);
  }

  /** Who answers again has not heard what was asked before that: a line that was cut tells nobody of it. */
  #enter(isLost: boolean, earlier: readonly AbortController[]): void {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    if (!isLost) this.#cancelAsking();
    for (const listener of this.#listeners) listener();
    if (isLost) return;
    for (const question of earlier) if (this.#open.has(question)) question.abort(new TypeError('No answer came.'));
    for (const listener of this.#returnListeners) listener();
  }
}
