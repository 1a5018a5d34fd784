import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { endJob, holdJob, requeueJob } from './claim-store.ts';
import { handleJob, type JobEnd, type JobFailure } from './job.ts';
import { cancelJob, findJob } from './queue-store.ts';
import { eventually } from '../testing/eventually.ts';
import { createQueue, endlessHandler, NEVER_MS, noteJob, quick, type Queue } from './testing/queue.ts';

describe('a failing job', () => {
  it('is tried again, later each time, until its attempts are used up', async () => {
    await using queue = await createQueue();
    const times: number[] = [];
    const ends: JobEnd[] = [];
    const handler = handleJob(
      noteJob,
      async () => {
        times.push(performance.now());
        throw new Error(`broken ${times.length}`);
      },
      { backoff: { firstMs: 100, maxMs: 10_000 }, onEnd: async (_tx, _payload, end) => void ends.push(end) },
    );
    await queue.work([handler]);
    const id = await queue.add();
    await queue.waitFor(id, 'failed');
    expect(await findJob(queue.store.db, id)).toMatchObject({ attempt: 3, error: 'broken 3' });
    expect(ends).toEqual([{ state: 'failed', error: 'broken 3', jobId: id, deaths: 0 }]);
    // A quarter's spread cannot make the second wait shorter than the first one's least.
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(75);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(150);
  });

  it('fails an attempt that takes too long', async () => {
    await using queue = await createQueue();
    const { handler, seen } = endlessHandler();
    await queue.work([{ ...handler, timeoutMs: 20, backoff: quick }]);
    const id = await queue.add();
    await queue.waitFor(id, 'failed');
    expect(seen.started).toBe(3);
    expect((await findJob(queue.store.db, id))!.error).toBe('The job took longer than it may.');
  });
});

describe('a job that does not stop when its time is over', () => {
  it('gives its place to others, counts as failed by time, is told of, and writes nothing more', async () => {
    await using queue = await createQueue();
    const late = Promise.withResolvers<void>();
    const wrote: unknown[] = [];
    const failures: JobFailure[] = [];
    const handler = handleJob(
      noteJob,
      async ({ text }, { jobId, claim, attempt }) => {
        if (text !== 'stuck' || attempt > 1) return `${text} ${attempt}`;
        await late.promise;
        wrote.push(await queue.store.db.transaction().execute((tx) => holdJob(tx, { jobId, claim })));
        return 'too late';
      },
      { timeoutMs: 20, backoff: quick },
    );
    const observer = { failed: (failure: JobFailure) => void failures.push(failure), ended: () => {} };
    const stuck = await queue.add({ payload: { text: 'stuck' } });
    await queue.work([handler], { concurrency: 1, timing: { giveUpMs: 50 }, observer });
    await queue.waitFor(await queue.add({ payload: { text: 'free' } }), 'done');
    await queue.waitFor(stuck, 'done');
    expect(failures).toMatchObject([
      { job: { id: stuck, attempt: 1 }, error: { message: expect.stringContaining('given up') } },
    ]);
    late.resolve();
    await eventually('it ends late', () => wrote.length === 1);
    expect(wrote).toEqual([null]);
    expect(await findJob(queue.store.db, stuck)).toMatchObject({ state: 'done', attempt: 2, result: 'stuck 2' });
  });

  it('fails for good when its attempts are used up, and worker and job go on without it', async () => {
    await using queue = await createQueue();
    let begun = 0;
    const ends: JobEnd[] = [];
    const handler = handleJob(
      noteJob,
      () => {
        begun++;
        return new Promise(() => {});
      },
      { timeoutMs: 20, backoff: quick, onEnd: async (_tx, _payload, end) => void ends.push(end) },
    );
    await queue.work([handler], { concurrency: 1, timing: { giveUpMs: 20 } });
    const id = await queue.add();
    await queue.waitFor(id, 'failed');
    expect(begun).toBe(3);
    expect(ends).toEqual([{ state: 'failed', error: 'The job took longer than it may.', jobId: id, deaths: 0 }]);
  });

  it('is left alone where it stops in time', async () => {
    await using queue = await createQueue();
    let begun = 0;
    const handler = handleJob(
      noteJob,
      async (_payload, { signal }) => {
        begun++;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await delay(100);
        return 'done all the same';
      },
      { timeoutMs: 20 },
    );
    await queue.work([handler]);
    const id = await queue.add();
    await queue.waitFor(id, 'done');
    expect(begun).toBe(1);
  });
});

const cancel = ({ store }: Queue, id: string) => store.db.transaction().execute((tx) => cancelJob(tx, id));

describe('cancelling', () => {
  it('ends a waiting job before it runs', async () => {
    await using queue = await createQueue();
    const id = await queue.add({ delayMs: 50 });
    expect(await cancel(queue, id)).toBe('cancelled');
    let ran = 0;
    await queue.work([handleJob(noteJob, async () => void ran++)]);
    await queue.waitFor(await queue.add({ delayMs: 100 }), 'done');
    expect(ran).toBe(1);
    expect(await findJob(queue.store.db, id)).toMatchObject({ state: 'cancelled' });
    expect(await cancel(queue, id)).toBeNull();
  });

  it('reaches a running handler at once, through its signal', async () => {
    await using queue = await createQueue();
    const { handler, seen } = endlessHandler();
    await queue.work([handler], { timing: { renewMs: NEVER_MS, leaseMs: NEVER_MS } });
    const id = await queue.add();
    await eventually('it runs', () => seen.started === 1);
    expect(await cancel(queue, id)).toBe('stopping');
    await queue.waitFor(id, 'cancelled');
    expect(seen.reasons).toEqual(['The job was cancelled.']);
  });

  it('reaches it also when the notification was missed', async () => {
    await using queue = await createQueue();
    const { handler, seen } = endlessHandler();
    await queue.work([handler], { timing: { renewMs: 20 } });
    const id = await queue.add();
    await eventually('it runs', () => seen.started === 1);
    await queue.store.pool.query('update jobs set cancel_requested = true');
    await queue.waitFor(id, 'cancelled');
    expect(seen.reasons).toEqual(['The job was cancelled.']);
  });

  it('calls a job done that was finished all the same', async () => {
    await using queue = await createQueue();
    const gate = Promise.withResolvers<void>();
    let isRunning = false;
    const handler = handleJob(noteJob, async () => {
      isRunning = true;
      await gate.promise;
    });
    await queue.work([handler]);
    const id = await queue.add();
    await eventually('it runs', () => isRunning);
    expect(await cancel(queue, id)).toBe('stopping');
    gate.resolve();
    await queue.waitFor(id, 'done');
  });
});

describe('the end of a job', () => {
  it('and what its hook writes are one transaction', async () => {
    await using queue = await createQueue();
    await queue.store.pool.query('create table ends (state text)');
    let tries = 0;
    const handler = handleJob(noteJob, async () => 'result', {
      backoff: quick,
      async onEnd(tx, _payload, { state }) {
        await sql`insert into ends values (${state})`.execute(tx);
        if (++tries === 1) throw new Error('hook broken');
      },
    });
    await queue.work([handler]);
    const id = await queue.add();
    await queue.waitFor(id, 'done');
    expect(tries).toBe(2);
    expect((await queue.store.pool.query('select state from ends')).rows).toEqual([{ state: 'done' }]);
  });

  it('is refused to whoever does not hold the latest claim', async () => {
    await using queue = await createQueue();
    const { handler, seen } = endlessHandler();
    await queue.work([handler]);
    const id = await queue.add();
    await eventually('it runs', () => seen.started === 1);
    const stale = { id, claim: '0' };
    expect(await endJob(queue.store.db, stale, { state: 'done', result: null })).toBe(false);
    expect(await requeueJob(queue.store.db, stale, { error: '', delayMs: 0, isCounted: true })).toBe(false);
    expect(await findJob(queue.store.db, id)).toMatchObject({ state: 'running' });
  });
});

describe('stopping a worker', () => {
  it('lets running jobs finish', async () => {
    await using queue = await createQueue();
    let isRunning = false;
    const handler = handleJob(noteJob, async () => {
      isRunning = true;
      await delay(100);
    });
    const worker = await queue.work([handler]);
    const id = await queue.add();
    await eventually('it runs', () => isRunning);
    await worker.stop({ finishMs: 30_000 });
    expect(await findJob(queue.store.db, id)).toMatchObject({ state: 'done' });
  });

  it('puts back those that do not, without holding it against them', async () => {
    await using queue = await createQueue();
    const { handler, seen } = endlessHandler();
    const worker = await queue.work([handler]);
    const id = await queue.add();
    await eventually('it runs', () => seen.started === 1);
    await worker.stop({ finishMs: 0 });
    expect(await findJob(queue.store.db, id)).toMatchObject({ state: 'queued', attempt: 0 });
    await queue.work([handleJob(noteJob, async () => {})]);
    await queue.waitFor(id, 'done');
  });

  it('does so too with those that heed no signal, so that nobody takes it for dead', async () => {
    await using queue = await createQueue();
    let started = 0;
    const deaf = handleJob(noteJob, async () => {
      started++;
      await delay(NEVER_MS, undefined, { ref: false });
    });
    const worker = await queue.work([deaf], { timing: { stopMs: 50 } });
    const id = await queue.add();
    await eventually('it runs', () => started === 1);
    await worker.stop({ finishMs: 0 });
    const { rows } = await queue.store.pool.query('select state, attempt, deaths from jobs where id = $1', [id]);
    expect(rows).toEqual([{ state: 'queued', attempt: 0, deaths: 0 }]);
    await queue.work([handleJob(noteJob, async () => {})]);
    await queue.waitFor(id, 'done');
  });
});

describe('a worker that hangs while it runs a job, again and again', () => {
  it('is not hung by it for ever: each time counts, as if it had ended', async () => {
    await using queue = await createQueue();
    let runs = 0;
    const handler = handleJob(noteJob, async (_payload, { signal }) => {
      runs++;
      // For so long that the session and the job are lost by it.
      const end = performance.now() + 700;
      while (performance.now() < end);
      await delay(NEVER_MS, undefined, { signal });
    });
    const timing = { leaseMs: 600, renewMs: NEVER_MS, graceMs: 300, stopMs: 50, recoverMs: 20 };
    await queue.work([handler], { timing });
    const id = await queue.add();
    await queue.waitFor(id, 'failed');
    expect(runs).toBe(3);
    expect((await findJob(queue.store.db, id))!.error).toBe(
      'The worker that ran it hung, and lost touch with the store.',
    );
    const { rows } = await queue.store.pool.query('select deaths from jobs where id = $1', [id]);
    expect(rows).toEqual([{ deaths: 3 }]);
  });
});
