/**
 * What was promised: for everything that can be changed, the value that was acknowledged last, and those that were
 * asked for since and never answered. Either may be what is there.
 */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  readonly #deployments: AskedDeployment[] = [];

  /** Before it is asked for. */
  ask(key: string, value: string): Asked {
    const entry = this.#entries.get(key) ?? { settled: null, doubtful: [], overtaken: [] };
    this.#entries.set(key, entry);
    entry.doubtful.push(value);
    return {
      acknowledged: () => {
        entry.settled = value;
        entry.overtaken = entry.doubtful.toSpliced(entry.doubtful.lastIndexOf(value), 1);
        entry.doubtful = [];
      },
      refused: () => {
        entry.doubtful.splice(entry.doubtful.lastIndexOf(value), 1);
      },
    };
  }

  /** What may be there now; `null` is among them where it was never acknowledged that there is anything. */
  allowed(key: string): readonly (string | null)[] {
    const { settled, doubtful } = this.#entries.get(key) ?? { settled: null, doubtful: [] };
    return [settled, ...doubtful];
  }

  /**
   * What may be there while people still make changes: also what was not answered and something later was. It may have
   * been on its way all the time, and come after that.
   */
  possible(key: string): readonly (string | null)[] {
    return [...this.allowed(key), ...(this.#entries.get(key)?.overtaken ?? [])];
  }

  keys(prefix: string): string[] {
    return [...this.#entries.keys()].filter((key) => key.startsWith(prefix));
  }

  noteDeployment(deployment: AskedDeployment): void {
    this.#deployments.push(deployment);
  }

  deployments(environmentId: string): readonly AskedDeployment[] {
    return this.#deployments.filter((each) => each.environmentId === environmentId);
  }
}

interface Entry {
  settled: string | null;
  doubtful: string[];
  /** What was doubtful when the last one was acknowledged. */
  overtaken: string[];
}

/** How it ended; neither is called where that is not known. */
export interface Asked {
  acknowledged(): void;
  refused(): void;
}

export interface AskedDeployment {
  environmentId: string;
  /** Null where nobody answered: there may be one, or none. */
  id: string | null;
  /** What visitors see where it is live. */
  words: string;
}
