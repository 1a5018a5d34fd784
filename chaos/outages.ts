import type { Failure } from '../e2e/load.ts';
import { isOfPart } from './words.ts';

/** What requests are for. */
export type Part = 'api' | 'site' | 'server' | 'sleeper';
export const parts: readonly Part[] = ['api', 'site', 'server', 'sleeper'];

/**
 * How a request fails: its connection breaks, or is refused, or the answer is that somebody is away, or what is shown
 * is a release that was replaced before; anything else is wrong.
 */
export type FailureKind = 'broken' | 'refused' | 'unavailable' | 'old' | 'wrong';

/**
 * What a fault harms. Everything stands on its foundation, which is the supervisor and the store: whoever harms that
 * reaches all. The others reach their own part alone: of edges there are two, and instances and databases run without
 * the processes of the platform.
 */
export type HarmedPart = 'edge' | 'api' | 'worker' | 'instances' | 'databases' | 'foundation';

export interface OutageSpec {
  /** The fault. */
  what: string;
  harms: HarmedPart;
  /** How requests may fail meanwhile, by what they are for. */
  disturbs: Partial<Record<Part, readonly FailureKind[]>>;
  /** Whose deployments may fail by it. */
  fails?: readonly Part[];
  /** Whoever builds and releases begins anew. */
  isInterruption?: boolean;
}

export interface Outage {
  /** No more harm is done: from now on it is to come back. */
  harmed(): void;
  over(): void;
  /** There was nobody to harm, so it explains nothing. */
  withdraw(): void;
}

export interface PartFailure extends Failure {
  part: Part;
}

/** How long it took until something was back. */
export interface Recovery {
  what: string;
  /** From the last harm that reached the same part. */
  tookMs: number;
  /** From its own harm, whatever came to it. */
  wholeMs: number;
}

/** From its beginning to its end, as `performance.now()` has it. */
export interface Span {
  startedAt: number;
  endedAt: number;
}

interface Kept extends OutageSpec {
  from: number;
  harmedAt: number;
  to: number;
}

/** Who had a request in hand when it was over may hear of it a moment later. */
const GRACE_MS = 2000;
/** A build is tried so often, and so is making a database; then it fails. */
const TRIES = 3;

/** What explains that requests and deployments failed, and the failures that nothing explains. */
export class Outages {
  readonly #kept: Kept[] = [];
  readonly #failures: PartFailure[] = [];
  readonly #retried: PartFailure[] = [];

  open(spec: OutageSpec): Outage {
    const kept: Kept = { ...spec, from: performance.now(), harmedAt: Infinity, to: Infinity };
    this.#kept.push(kept);
    return {
      harmed: () => (kept.harmedAt = performance.now()),
      over: () => (kept.to = Math.min(kept.to, performance.now())),
      withdraw: () => void this.#kept.splice(this.#kept.indexOf(kept), 1),
    };
  }

  note(failure: PartFailure): void {
    this.#failures.push(failure);
  }

  /**
   * A connection was refused, or was closed before a byte of an answer, and the request made once more, however that
   * went. It needs a fault that explains it, too.
   */
  noteRetried(first: PartFailure): void {
    this.#retried.push(first);
  }

  /** The fault that explains it; undefined where none does. */
  explain(failure: PartFailure): string | undefined {
    const kind = kindOf(failure);
    return this.#during(failure).find(({ disturbs }) => disturbs[failure.part]?.includes(kind))?.what;
  }

  /**
   * What explains that a deployment failed: who ran it was harmed, or whoever worked at it, each time that it was
   * tried.
   */
  explainDeployment(part: Part, span: Span): string | undefined {
    const meanwhile = this.#during(span);
    const interruptions = meanwhile.filter(({ isInterruption }) => isInterruption);
    const whole = interruptions.length >= TRIES ? interruptions.map(({ what }) => what).join(', ') : undefined;
    return meanwhile.find(({ fails }) => fails?.includes(part))?.what ?? whole;
  }

  /**
   * What explains that a database was given up while it was made: each time that was tried, it or who works was harmed.
   */
  explainDatabase(span: Span): string | undefined {
    const harms = this.#during(span).filter(({ isInterruption, harms }) => isInterruption || harms === 'databases');
    return harms.length >= TRIES ? harms.map(({ what }) => what).join(', ') : undefined;
  }

  unexplained(): PartFailure[] {
    return [...this.#failures, ...this.#retried].filter((failure) => this.explain(failure) === undefined);
  }

  /** Without those that went well when they were asked once more. */
  count(): number {
    return this.#failures.length;
  }

  /**
   * Of each fault that is over: how long it took to come back once no more harm was done to its part, or to what all
   * parts stand on.
   */
  recoveries(): Recovery[] {
    return this.#kept
      .filter(({ harmedAt, to }) => harmedAt <= to && to < Infinity)
      .map((each) => ({
        what: each.what,
        tookMs: each.to - this.#lastHarmTo(each),
        wholeMs: each.to - each.harmedAt,
      }));
  }

  /**
   * How much of the time requests of a part had to be answered, whatever happened, and the longest time that they had
   * not. Who may be shown something old is answered.
   */
  burdenOf(part: Part, { startedAt, endedAt }: Span): { freeShare: number; longestMs: number } {
    const spans = merge(
      this.#kept
        .filter(({ disturbs }) => disturbs[part]?.some((kind) => kind !== 'old'))
        .map(({ from, to }) => ({ startedAt: Math.max(from, startedAt), endedAt: Math.min(to + GRACE_MS, endedAt) }))
        .filter((span) => span.startedAt < span.endedAt),
    );
    const lengths = spans.map((span) => span.endedAt - span.startedAt);
    const excusedMs = lengths.reduce((sum, length) => sum + length, 0);
    return { freeShare: 1 - excusedMs / (endedAt - startedAt), longestMs: Math.max(0, ...lengths) };
  }

  /** Until it was over. */
  #lastHarmTo({ harms: part, to }: Kept): number {
    const reaching = this.#kept.filter(({ harms }) => harms === part || harms === 'foundation');
    return Math.max(...reaching.map(({ harmedAt }) => harmedAt).filter((at) => at <= to));
  }

  #during({ startedAt, endedAt }: Span): Kept[] {
    return this.#kept.filter(({ from, to }) => from <= endedAt && startedAt <= to + GRACE_MS);
  }
}

/** With which a message begins where there was an answer, an upload's among them (`e2e/deploying.ts`). */
const STATUS = /^(?:The PUT was answered )?(\d{3})\b/;

export function kindOf({ part, message }: Pick<PartFailure, 'part' | 'message'>): FailureKind {
  // One of its own words that is not right is one of before.
  if (message.startsWith('200 ') && isOfPart(part, message.slice(4))) return 'old';
  // Who was answered was told how it went by the status alone: what follows may be anybody's words.
  const status = STATUS.exec(message)?.[1];
  if (status) return /^50[234]$/.test(status) ? 'unavailable' : 'wrong';
  if (/ECONNREFUSED/.test(message)) return 'refused';
  return /ECONNRESET|EPIPE|hang up|other side closed|terminated|UND_ERR_SOCKET/.test(message) ? 'broken' : 'wrong';
}

/** Those that overlap as one. */
function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const last = merged.at(-1);
    if (last && span.startedAt <= last.endedAt) last.endedAt = Math.max(last.endedAt, span.endedAt);
    else merged.push({ ...span });
  }
  return merged;
}
