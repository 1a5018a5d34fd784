import type { Failure } from '../e2e/load.ts';

/** What requests are for. */
export type Part = 'api' | 'site' | 'server' | 'sleeper';

/** How a request fails: its connection breaks, or is refused, or the answer is that somebody is away; anything else is wrong. */
export type FailureKind = 'broken' | 'refused' | 'unavailable' | 'wrong';

export interface OutageSpec {
  /** The fault. */
  what: string;
  parts: readonly Part[];
  excuses: readonly FailureKind[];
}

export interface Outage {
  over(): void;
}

export interface PartFailure extends Failure {
  part: Part;
}

interface Kept extends OutageSpec {
  from: number;
  to: number;
}

/** Who had a request in hand when it was over may hear of it a moment later. */
const GRACE_MS = 2000;

/** What explains that requests failed, and the failures that nothing explains. */
export class Outages {
  readonly #kept: Kept[] = [];
  readonly #failures: PartFailure[] = [];

  open(spec: OutageSpec): Outage {
    const kept: Kept = { ...spec, from: performance.now(), to: Infinity };
    this.#kept.push(kept);
    return { over: () => (kept.to = Math.min(kept.to, performance.now())) };
  }

  note(failure: PartFailure): void {
    this.#failures.push(failure);
  }

  /** The fault that explains it; undefined where none does. */
  explain({ part, message, startedAt, endedAt }: PartFailure): string | undefined {
    const kind = kindOf(message);
    return this.#kept.find(
      ({ parts, excuses, from, to }) =>
        parts.includes(part) && excuses.includes(kind) && from <= endedAt && startedAt <= to + GRACE_MS,
    )?.what;
  }

  unexplained(): PartFailure[] {
    return this.#failures.filter((failure) => this.explain(failure) === undefined);
  }

  count(): number {
    return this.#failures.length;
  }
}

export function kindOf(message: string): FailureKind {
  if (/\b50[234]\b/.test(message)) return 'unavailable';
  if (/ECONNREFUSED/.test(message)) return 'refused';
  return /ECONNRESET|EPIPE|hang up|other side closed|terminated|UND_ERR_SOCKET/.test(message) ? 'broken' : 'wrong';
}
