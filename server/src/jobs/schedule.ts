import type { Db, Tx } from '../db/pool.ts';
import { handleJob, type JobContext, type JobHandler, type JobKind } from './job.ts';
import { enqueue } from './queue-store.ts';

/** What a periodic job is told: nothing. */
export type NoPayload = Record<string, never>;

/**
 * A job that runs again and again, one at a time however many workers there are. Its end, whichever
 * way, and the next one are one transaction, so the chain cannot break.
 */
export function periodicJob(
  kind: JobKind<NoPayload>,
  everyMs: number,
  run: (context: JobContext) => Promise<unknown>,
): JobHandler {
  const onEnd = (tx: Tx) => enqueueNext(tx, kind, everyMs);
  return { ...handleJob(kind, (_payload, context) => run(context), { onEnd }), everyMs };
}

/** Begins the chains that have not begun. One that waits already keeps its time. */
export async function enqueueMissing(db: Db, handlers: readonly JobHandler[]): Promise<void> {
  const periodic = handlers.filter((handler) => handler.everyMs !== undefined);
  if (periodic.length === 0) return;
  await db.transaction().execute(async (tx) => {
    for (const { kind, everyMs } of periodic) await enqueueNext(tx, kind, everyMs!);
  });
}

async function enqueueNext(tx: Tx, kind: JobKind<object>, everyMs: number): Promise<void> {
  await enqueue(tx, { kind, payload: {}, key: 'next', lane: `periodic ${kind.name}`, delayMs: everyMs });
}
