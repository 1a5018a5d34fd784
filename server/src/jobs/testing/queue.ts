import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '../../lib/log.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { defineJob, handleJob, type JobHandler, type JobObserver, type NewJob } from '../job.ts';
import type { Leaderships } from '../leaderships.ts';
import { enqueue, findJob, type JobState } from '../queue-store.ts';
import { createWorker, type Worker } from '../worker.ts';
import type { WorkerTiming } from '../worker-timing.ts';
import { eventually } from '../../testing/eventually.ts';

/** So long that whatever happens in a test was not brought about by polling. */
export const NEVER_MS = 600_000;

export type Note = { text: string };
export const noteJob = defineJob<Note>('test.note', { maxAttempts: 3 });
export const quick = { firstMs: 5, maxMs: 50 };

export interface WorkOptions {
  name?: string;
  concurrency?: number;
  timing?: Partial<WorkerTiming>;
  observer?: JobObserver;
  leaderships?: Leaderships;
}

/** A store of its own and the workers of one test, which end with it: `await using queue = await createQueue()`. */
export interface Queue extends AsyncDisposable {
  store: TestStore;
  /** Starts a worker that practically never polls. */
  work(handlers: JobHandler[], options?: WorkOptions): Promise<Worker>;
  add(job?: Partial<NewJob<Note>>): Promise<string>;
  waitFor(id: string, state: JobState): Promise<void>;
  count(): Promise<number>;
}

export async function createQueue(): Promise<Queue> {
  const store = await createTestStore();
  const workers: Worker[] = [];
  return {
    store,
    async work(handlers, { name = 'one', timing, ...options } = {}) {
      const whole = { pollMs: NEVER_MS, ...timing };
      const worker = createWorker({ ...options, store, log: silentLog, name, handlers, timing: whole });
      workers.push(worker);
      await worker.start();
      return worker;
    },
    async add(job) {
      const whole = { kind: noteJob, payload: { text: 'x' }, ...job };
      return (await store.db.transaction().execute((tx) => enqueue(tx, whole))).id;
    },
    waitFor: (id, state) =>
      eventually(`job ${id} is ${state}`, async () => (await findJob(store.db, id))?.state === state),
    async count() {
      const { rows } = await store.pool.query<{ count: number }>('select count(*)::int as count from jobs');
      return rows[0]!.count;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop({ finishMs: 0 })));
      await store[Symbol.asyncDispose]();
    },
  };
}

/** A handler that runs until it is told to stop, and notes what it saw. */
export function endlessHandler() {
  const seen = { started: 0, reasons: [] as string[] };
  const handler = handleJob(noteJob, async (_payload, { signal }) => {
    seen.started++;
    await delay(NEVER_MS, undefined, { signal }).catch(() => {});
    seen.reasons.push((signal.reason as Error).message);
    throw signal.reason;
  });
  return { seen, handler };
}
