import type { Db, Tx } from '../db/pool.ts';
import { untraced } from '../lib/trace.ts';
import { handleJob, type JobContext, type JobHandler, type JobKind } from './job.ts';
import { enqueue } from './queue-store.ts';

/** What a periodic job is told: nothing. */
export type NoPayload = Record<string, never>;

export interface Timing {
  everyMs: number;
  /** How soon after a worker's start it is due, though one ran not long ago. Left out, a start changes nothing. */
  firstMs?: number;
}

/**
 * A job that runs again and again, one at a time however many workers there are. Its end, whichever
 * way, and the next one are one transaction, so the chain cannot break.
 */
export function periodicJob(
  kind: JobKind<NoPayload>,
  timing: number | Timing,
  run: (context: JobContext) => Promise<unknown>,
): JobHandler {
  const { everyMs, firstMs = everyMs } = typeof timing === 'number' ? { everyMs: timing } : timing;
  const onEnd = (tx: Tx) => enqueueNext(tx, kind, everyMs);
  return { ...handleJob(kind, (_payload, context) => run(context), { onEnd }), everyMs, firstMs };
}

/** Begins the chains that have not begun. One that waits already keeps its time, if that is sooner. */
export async function enqueueMissing(db: Db, handlers: readonly JobHandler[]): Promise<void> {
  const periodic = handlers.filter((handler) => handler.firstMs !== undefined);
  if (periodic.length === 0) return;
  await db.transaction().execute(async (tx) => {
    for (const { kind, firstMs } of periodic) await enqueueNext(tx, kind, firstMs!);
  });
}

async function enqueueNext(tx: Tx, kind: JobKind<object>, delayMs: number): Promise<void> {
  // A request may have brought this one forward; those that follow are nobody's.
  await untraced(() => enqueue(tx, { kind, payload: {}, key: 'next', lane: `periodic ${kind.name}`, delayMs }));
}
