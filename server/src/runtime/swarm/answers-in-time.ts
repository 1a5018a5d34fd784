import { setTimeout as delay } from 'node:timers/promises';

/** Asks many, and waits for nobody long: who has not answered yet is not asked again until that call is over. */
export class AnswersInTime<T> {
  readonly #asked = new Set<string>();
  readonly #withinMs: number;

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  /** What came in time. */
  async from(names: readonly string[], ask: (name: string) => Promise<T>): Promise<Map<string, T>> {
    const answers = new Map<string, T>();
    const calls = names
      .filter((name) => !this.#asked.has(name))
      .map((name) =>
        this.#ask(name, ask).then(
          (answer) => void answers.set(name, answer),
          () => {},
        ),
      );
    const patience = new AbortController();
    const late = delay(this.#withinMs, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([Promise.all(calls), late]);
    patience.abort();
    return new Map(answers);
  }

  async #ask(name: string, ask: (name: string) => Promise<T>): Promise<T> {
    this.#asked.add(name);
    try {
      return await ask(name);
    } finally {
      this.#asked.delete(name);
    }
  }
}
