import type { Tx } from '../db/pool.ts';
import type { Log } from '../lib/log.ts';
import type { LeadName } from './leadership.ts';

/** A kind of job and, as a type, what it is told. One constant for each; who enqueues and who handles share it. */
export interface JobKind<Payload extends object> {
  readonly name: string;
  readonly maxAttempts: number;
  /** Its jobs belong to groups that take turns; a handler of it may have limits. */
  readonly isGrouped: boolean;
  /** Never set: it only carries the type. */
  readonly payloadType?: Payload;
}

export function defineJob<Payload extends object>(
  name: string,
  { maxAttempts = 5, isGrouped = false }: { maxAttempts?: number; isGrouped?: boolean } = {},
): JobKind<Payload> {
  return { name, maxAttempts, isGrouped };
}

export interface NewJob<Payload extends object> {
  kind: JobKind<Payload>;
  payload: Payload;
  /** While a job of this kind and key waits, it stands for this one too; its payload should say the same. */
  key?: string;
  /** Of the jobs that share a lane, whatever their kind, one runs at a time. Left out, the key is the lane. */
  lane?: string;
  /**
   * Whose turn it is: of the groups that wait, the one that runs fewest goes first. For grouped kinds, and needed
   * there.
   */
  group?: string;
  /** Higher goes first. */
  priority?: number;
  delayMs?: number;
}

/** What a worker took from the queue. */
export interface ClaimedJob {
  id: string;
  kind: string;
  payload: object;
  group_name: string | null;
  attempt: number;
  max_attempts: number;
  /** How often its worker ended or hung while it ran: its doing, or bad luck. */
  deaths: number;
  /** The fencing token: only who took the job last may finish it. */
  claim: string;
  cancel_requested: boolean;
  /** Why it was put back, if it was. */
  error: string | null;
  /** Which request led to it, if one did. */
  request_id: string | null;
}

export interface JobContext {
  jobId: string;
  /** Proves to `holdJob` that the job is still this attempt's. */
  claim: string;
  /** Counts from 1. */
  attempt: number;
  /** Aborted when the job is cancelled or overdue, when this worker stops, or when it has lost the job to another. */
  signal: AbortSignal;
  log: Log;
}

/** A failure that its kind does not know how to end with: somebody should look at it. */
export interface JobFailure {
  errorId: string;
  job: Pick<ClaimedJob, 'id' | 'kind' | 'attempt' | 'request_id'>;
  error: unknown;
}

/** Told what becomes of jobs, for the platform's own books; must not throw. */
export interface JobObserver {
  failed(failure: JobFailure): void;
  ended(kind: string, state: JobEnd['state']): void;
}

/** How a job ended for good. */
export type JobEnd =
  | { state: 'done'; result: unknown }
  | { state: 'failed'; error: string }
  | { state: 'cancelled'; error: string };

/** The end as a hook is told it. */
export type EndedJob = JobEnd & { jobId: string; deaths: number };

/**
 * A kind with limits has places of its own: it neither takes those of other kinds nor waits for them.
 * What is counted is what runs on this worker.
 */
export interface JobLimits {
  perWorker: number;
  perGroup: number;
}

export interface HandlerOptions<Payload extends object> {
  /** Longer than this, and the attempt is aborted and counts as failed; should it not stop then, it is given up. */
  timeoutMs?: number;
  backoff?: Backoff;
  /** For grouped kinds only. */
  limits?: JobLimits;
  /**
   * Runs in the transaction that ends the job, whichever way: what it writes and the job's end are
   * one. It comes before the job's own row is written, so that whoever locks rows of the product
   * first and a job last can never wait in a ring with it. It is not called for a job that was
   * cancelled before it was ever taken; whoever cancels such a job writes the consequences in the
   * same transaction.
   */
  onEnd?: (tx: Tx, payload: Payload, end: EndedJob) => Promise<void>;
}

/** A kind and what is to be done, its payload's type forgotten so that a worker can keep a list. */
export interface JobHandler {
  readonly kind: JobKind<object>;
  run(payload: object, context: JobContext): Promise<unknown>;
  readonly timeoutMs?: number;
  readonly backoff: Backoff;
  readonly limits?: JobLimits;
  onEnd?: (tx: Tx, payload: object, end: EndedJob) => Promise<void>;
  /** Only the worker that leads this takes its jobs. */
  readonly lead?: LeadName;
  /** Set for what runs again and again (`schedule.ts`). */
  readonly everyMs?: number;
  /** And how soon after a worker's start at the latest. */
  readonly firstMs?: number;
}

/**
 * A job runs at least once: a worker may die after the work and before the note of it, so `run` must
 * bear being run again. It must heed the signal: soon after an abort another worker may have the job.
 */
export function handleJob<Payload extends object>(
  kind: JobKind<Payload>,
  run: (payload: Payload, context: JobContext) => Promise<unknown>,
  options: HandlerOptions<Payload> = {},
): JobHandler {
  const { onEnd, timeoutMs, limits, backoff = defaultBackoff } = options;
  if (limits && !kind.isGrouped) throw new Error(`Jobs of the kind ${kind.name} have no groups, so no limits either.`);
  return {
    kind,
    timeoutMs,
    backoff,
    limits,
    run: (payload, context) => run(payload as Payload, context),
    onEnd: onEnd && ((tx, payload, end) => onEnd(tx, payload as Payload, end)),
  };
}

/** For what needs what only one worker has. */
export function takenByLeader(lead: LeadName, handlers: readonly JobHandler[]): JobHandler[] {
  return handlers.map((handler) => ({ ...handler, lead }));
}

export interface Backoff {
  firstMs: number;
  maxMs: number;
}

const defaultBackoff: Backoff = { firstMs: 1000, maxMs: 60 * 60 * 1000 };

/** Doubles with each attempt; spread by a quarter either way, so that what failed together does not return together. */
export function retryDelayMs(attempt: number, { firstMs, maxMs }: Backoff, random = Math.random): number {
  return Math.min(maxMs, firstMs * 2 ** (attempt - 1)) * (0.75 + random() / 2);
}
