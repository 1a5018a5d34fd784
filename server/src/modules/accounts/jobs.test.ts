import { expect, it, vi } from 'vitest';
import { enqueue } from '../../jobs/queue-store.ts';
import { createWorker } from '../../jobs/worker.ts';
import { silentLog } from '../../lib/log.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createTestStore } from '../../testing/test-store.ts';
import { accountJobs } from './jobs.ts';

it('the worker forgets what has expired, and will do so again', async () => {
  await using store = await createTestStore();
  const clock = createFakeClock();
  await store.db
    .insertInto('attempt_counters')
    .values({ bucket: 'login:account:a', failures: 3, window_ends_at: clock.now() })
    .execute();
  const handlers = accountJobs({ store, clock });
  const worker = createWorker({ store, log: silentLog, name: 'test', handlers });
  await worker.start();
  await store.db.transaction().execute((tx) => enqueue(tx, { kind: handlers[0]!.kind, payload: {} }));
  await vi.waitFor(async () => {
    expect(await store.db.selectFrom('attempt_counters').selectAll().execute()).toEqual([]);
    const waiting = await store.pool.query("select from jobs where kind = 'accounts.purge' and state = 'queued'");
    expect(waiting.rowCount).toBe(1);
  }, 10_000);
  await worker.stop();
});
