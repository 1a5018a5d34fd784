import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTestStore, type TestStore } from '../testing/test-store.ts';
import { enqueue } from './queue-store.ts';
import { eventually } from '../testing/eventually.ts';
import { recordedJob, RUNS_TABLE } from './testing/recorded-job.ts';
import { startWorkerProcess, type WorkerProcess } from './testing/worker-process.ts';

async function createRecordingStore(): Promise<TestStore> {
  const store = await createTestStore();
  await store.pool.query(RUNS_TABLE);
  await store.pool.query('create table kills (pid integer primary key, killed_at timestamptz not null)');
  return store;
}

async function addJobs(store: TestStore, count: number, jobOf: (n: number) => { holdMs: number; lane?: string }) {
  await store.db.transaction().execute(async (tx) => {
    for (let n = 0; n < count; n++) {
      const payload = jobOf(n);
      await enqueue(tx, { kind: recordedJob, payload, lane: payload.lane });
    }
  });
}

async function numberOf(store: TestStore, query: string): Promise<number> {
  return (await store.pool.query<{ n: number }>(`select count(*)::int as n from ${query}`)).rows[0]!.n;
}

const countDone = (store: TestStore) => numberOf(store, `jobs where state = 'done'`);
const countRuns = (store: TestStore) => numberOf(store, 'runs');

/** A killed run lasted at least until just before its process was killed. */
async function killNoted(store: TestStore, worker: WorkerProcess): Promise<void> {
  await store.pool.query('insert into kills values ($1, clock_timestamp())', [worker.pid]);
  await worker.kill();
}

const OVERLAPS = `
  (select job, lane, started_at, coalesce(ended_at, killed_at, clock_timestamp()) as ended_at, id
   from runs left join kills using (pid)) a
  join
  (select job, lane, started_at, id from runs) b
  on b.id <> a.id and (b.lane = a.lane or b.job = a.job) and b.started_at >= a.started_at and b.started_at < a.ended_at`;

/** Nothing polls and no lease ends within a test: what happens is due to the worker's death being noticed. */
const timing = { pollMs: 600_000, leaseMs: 600_000 };

describe('when a worker is killed', () => {
  it('its jobs run again as soon as it is restarted', async () => {
    await using store = await createRecordingStore();
    await addJobs(store, 1, () => ({ holdMs: 600_000 }));
    // Others are told to be patient for ever, so only the same name can take over.
    const patient = { ...timing, graceMs: 600_000 };
    await using first = startWorkerProcess({ url: store.url, name: 'w', timing: patient });
    await eventually('it runs', async () => (await countRuns(store)) === 1);
    await using other = startWorkerProcess({ url: store.url, name: 'other', timing: patient });
    await other.ready;
    await killNoted(store, first);
    await using second = startWorkerProcess({ url: store.url, name: 'w', timing: patient });
    await eventually('it runs again', async () => (await countRuns(store)) === 2);
    await second.ready;
    const { rows } = await store.pool.query('select attempt, state, worker, error from jobs');
    expect(rows).toMatchObject([{ attempt: 2, state: 'running' }]);
    expect(await numberOf(store, OVERLAPS)).toBe(0);
  });

  it('they run on another worker long before their lease would have ended', async () => {
    await using store = await createRecordingStore();
    await addJobs(store, 2, () => ({ holdMs: 600_000 }));
    await using doomed = startWorkerProcess({ url: store.url, name: 'doomed', timing });
    await eventually('both run', async () => (await countRuns(store)) === 2);
    await using heir = startWorkerProcess({ url: store.url, name: 'heir', timing });
    await heir.ready;
    await killNoted(store, doomed);
    const killedAt = performance.now();
    await eventually('both run again', async () => (await countRuns(store)) === 4);
    expect(performance.now() - killedAt).toBeLessThan(timing.leaseMs / 20);
    const { rows } = await store.pool.query('select distinct worker from jobs');
    expect(rows).toEqual([{ worker: 'heir' }]);
    expect(await numberOf(store, OVERLAPS)).toBe(0);
  });

  it('a job that has used up its attempts so fails, and does not kill workers for ever', async () => {
    await using store = await createRecordingStore();
    await addJobs(store, 1, () => ({ holdMs: 600_000 }));
    await store.pool.query('update jobs set max_attempts = 1');
    await using first = startWorkerProcess({ url: store.url, name: 'w', timing });
    await eventually('it runs', async () => (await countRuns(store)) === 1);
    await killNoted(store, first);
    await using second = startWorkerProcess({ url: store.url, name: 'w', timing });
    await second.ready;
    await eventually('it failed', async () => (await numberOf(store, `jobs where state = 'failed'`)) === 1);
    const { rows } = await store.pool.query('select error from jobs');
    expect(rows).toEqual([{ error: 'The worker that ran it died.' }]);
    expect(await countRuns(store)).toBe(1);
  });
});

describe('a job whose worker ends each time that it runs', () => {
  it('fails at the fifth time, though it has many attempts left', async () => {
    await using store = await createRecordingStore();
    await addJobs(store, 1, () => ({ holdMs: 600_000 }));
    // So that the test need not wait: a job waits for a random time after each death.
    const isDue = () => store.pool.query(`update jobs set run_at = now() where state = 'queued'`);
    for (let death = 1; death <= 5; death++) {
      await using worker = startWorkerProcess({ url: store.url, name: 'w', timing: { ...timing, pollMs: 50 } });
      await worker.ready;
      await isDue();
      await eventually('it runs', async () => (await countRuns(store)) === death);
      await killNoted(store, worker);
    }
    await using last = startWorkerProcess({ url: store.url, name: 'w', timing });
    await last.ready;
    await eventually('it failed', async () => (await numberOf(store, `jobs where state = 'failed'`)) === 1);
    const { rows } = await store.pool.query('select state, attempt, deaths, error from jobs order by id');
    expect(rows).toMatchObject([
      { state: 'failed', deaths: 5, error: "The platform's worker ended 5 times while it ran this." },
    ]);
    expect(await countRuns(store)).toBe(5);
  });
});

describe('16 kills while 400 jobs run in 20 lanes on 3 workers', () => {
  it('every job is done, none is lost, and no lane ever ran two at once', { timeout: 180_000 }, async () => {
    await using store = await createRecordingStore();
    await addJobs(store, 400, (n) => ({ holdMs: 30, lane: `lane-${n % 20}` }));
    const names = ['a', 'b', 'c'];
    const workers = names.map((name) => startWorkerProcess({ url: store.url, name }));
    await using _cleanup = {
      [Symbol.asyncDispose]: async () => void (await Promise.all(workers.map((w) => w.kill()))),
    };
    await Promise.all(workers.map((worker) => worker.ready));
    for (let kill = 0; kill < 16; kill++) {
      const at = kill % names.length;
      const doneBefore = await countDone(store);
      await killNoted(store, workers[at]!);
      workers[at] = startWorkerProcess({ url: store.url, name: names[at]! });
      // Some progress between the kills, so that they fall at different moments of the work.
      await eventually('some more are done', async () => {
        const done = await countDone(store);
        return done >= doneBefore + 5 || done === 400;
      });
      await delay(Math.random() * 50);
    }
    await eventually('all are done', async () => (await countDone(store)) === 400);
    expect(await numberOf(store, `jobs where state <> 'done'`)).toBe(0);
    expect(await numberOf(store, '(select distinct job from runs where ended_at is not null) finished')).toBe(400);
    expect(await numberOf(store, 'runs where ended_at is null')).toBeGreaterThan(0);
    expect(await numberOf(store, OVERLAPS)).toBe(0);
  });
});
