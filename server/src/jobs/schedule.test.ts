import { describe, expect, it } from 'vitest';
import { defineJob, handleJob } from './job.ts';
import { purgeJobsHandler } from './purge-jobs.ts';
import { periodicJob, type NoPayload } from './schedule.ts';
import { eventually } from '../testing/eventually.ts';
import { createQueue, noteJob } from './testing/queue.ts';

const tick = defineJob<NoPayload>('test.tick', { maxAttempts: 1 });

describe('a periodic job', () => {
  it('runs again and again, one at a time on however many workers, also after a failure', async () => {
    await using queue = await createQueue();
    let [running, most, runs] = [0, 0, 0];
    const handler = periodicJob(tick, 20, async () => {
      most = Math.max(most, ++running);
      await queue.store.pool.query('select pg_sleep(0.01)');
      running--;
      if (++runs === 2) throw new Error('once');
    });
    await queue.work([handler], { name: 'one' });
    await queue.work([handler], { name: 'two' });
    await eventually('it ran six times', () => runs >= 6);
    expect(most).toBe(1);
    const { rows } = await queue.store.pool.query(
      `select count(*)::int as waiting from jobs where kind = 'test.tick' and state = 'queued'`,
    );
    expect(rows[0].waiting).toBeLessThanOrEqual(1);
  });

  it('is not run sooner because a worker restarts', async () => {
    await using queue = await createQueue();
    const handler = periodicJob(tick, 3_600_000, async () => {});
    const runAt = async () => (await queue.store.pool.query('select run_at from jobs')).rows;
    const first = await queue.work([handler]);
    const before = await runAt();
    await first.stop();
    await queue.work([handler]);
    expect(await runAt()).toEqual(before);
    expect(before).toHaveLength(1);
  });

  it('that is due soon after a start is, though the next was planned for later, and then keeps to its time', async () => {
    await using queue = await createQueue();
    let runs = 0;
    const run = async () => void runs++;
    const first = await queue.work([periodicJob(tick, 3_600_000, run)]);
    await first.stop();
    await queue.work([periodicJob(tick, { everyMs: 3_600_000, firstMs: 20 }, run)]);
    const untilNext = `select extract(epoch from run_at - now()) > 3000 as is_late from jobs where state = 'queued'`;
    await eventually('it ran, and the next waits its hour', async () => {
      return runs > 0 && (await queue.store.pool.query(untilNext)).rows[0]?.is_late === true;
    });
    expect(runs).toBe(1);
  });
});

describe('the purge', () => {
  it('forgets what ended more than a week ago, and nothing else', async () => {
    await using queue = await createQueue();
    const { store } = queue;
    await queue.work([handleJob(noteJob, async () => {}), purgeJobsHandler(store)]);
    const [old, young] = [await queue.add(), await queue.add()];
    await queue.waitFor(old, 'done');
    await queue.waitFor(young, 'done');
    const waiting = await queue.add({ delayMs: 600_000 });
    await store.pool.query(
      `update jobs set finished_at = now() - interval '7 days 1 minute', created_at = now() - interval '8 days'
       where id = $1`,
      [old],
    );
    await store.pool.query(`update jobs set created_at = now() - interval '8 days' where id in ($1, $2)`, [
      young,
      waiting,
    ]);
    await store.pool.query(`update jobs set run_at = now() where kind = 'jobs.purge'`);
    await store.pool.query(`select pg_notify('lilac_jobs', 'jobs.purge')`);
    await eventually('the old one is gone', async () => {
      return (await store.pool.query('select from jobs where id = $1', [old])).rowCount === 0;
    });
    const { rows } = await store.pool.query(`select id from jobs where kind = 'test.note' order by id`);
    expect(rows.map((row: { id: string }) => row.id)).toEqual([young, waiting]);
  });
});
