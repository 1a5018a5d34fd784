import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { handleJob } from './job.ts';
import { enqueue, findJob } from './queue-store.ts';
import { WORKER_LOCK_CLASS } from './recovery-store.ts';
import { eventually } from '../testing/eventually.ts';
import { createQueue, endlessHandler, noteJob, type Queue } from './testing/queue.ts';
import { recordedJob, RUNS_TABLE } from './testing/recorded-job.ts';
import { startWorkerProcess } from './testing/worker-process.ts';

/** Ends every connection to the test's store but the one that asks: to a worker, a restart of the store. */
const OTHERS = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

/** Once as many are there as workers. */
async function cutConnections({ store }: Queue, workers: number): Promise<void> {
  await eventually('every worker is back', async () => {
    const { rows } = await store.pool.query<{ count: number }>(`select count(*)::int as count ${OTHERS}`);
    return rows[0]!.count >= workers;
  });
  await store.pool.query(`select pg_terminate_backend(pid, 10000) ${OTHERS}`);
}

/** The pool may give out a connection or two whose end it has not noticed yet. */
async function addWhenBack(queue: Queue): Promise<string> {
  let id = '';
  const canAdd = async () => {
    id = await queue.add();
    return true;
  };
  await eventually('the store takes a job', () => canAdd().catch(() => false));
  return id;
}

/** Takes the lock on a worker's name as soon as the worker loses it, so that the worker cannot come back. */
async function waitForName({ store }: Queue, name: string) {
  const client = store.newClient();
  await client.connect();
  const held = client.query('select pg_advisory_lock($1, hashtext($2))', [WORKER_LOCK_CLASS, name]);
  return { client, held };
}

describe('when the store restarts under a worker', () => {
  it('a running job goes on, ends once, and the next one wakes the worker', async () => {
    await using queue = await createQueue();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const handler = handleJob(noteJob, async ({ text }, { signal }) => {
      runs++;
      if (text !== 'long') return;
      await gate.promise;
      signal.throwIfAborted();
    });
    await queue.work([handler], { name: 'one' });
    await queue.work([handler], { name: 'two' });
    const long = await queue.add({ payload: { text: 'long' } });
    await eventually('it runs', () => runs === 1);
    for (let round = 0; round < 3; round++) {
      await cutConnections(queue, 2);
      await queue.waitFor(await addWhenBack(queue), 'done');
    }
    gate.resolve();
    await queue.waitFor(long, 'done');
    expect(await findJob(queue.store.db, long)).toMatchObject({ attempt: 1 });
    expect(runs).toBe(4);
  });

  it('an outcome that could not be written is written when the store is back', async () => {
    await using queue = await createQueue();
    let runs = 0;
    const handler = handleJob(noteJob, async () => {
      runs++;
      await cutConnections(queue, 1);
    });
    await queue.work([handler]);
    const id = await queue.add();
    await queue.waitFor(id, 'done');
    expect(runs).toBe(1);
  });
});

describe('a worker that cannot get its session back', () => {
  it('stops its jobs before anybody else may run them', async () => {
    await using queue = await createQueue();
    const events: string[] = [];
    const handlerOf = (name: string) =>
      handleJob(noteJob, async (_payload, { signal }) => {
        events.push(`${name} starts`);
        if (name === 'heir') return;
        await delay(600_000, undefined, { signal }).catch(() => {});
        events.push(`${name} stops: ${(signal.reason as Error).message}`);
        throw signal.reason;
      });
    await queue.work([handlerOf('lost')], { name: 'lost', timing: { graceMs: 1500, stopMs: 500, recoverMs: 50 } });
    const id = await queue.add();
    await eventually('it runs', () => events.length === 1);
    await queue.work([handlerOf('heir')], { name: 'heir', timing: { recoverMs: 50 } });
    const { client, held } = await waitForName(queue, 'lost');
    await queue.store.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
       and classid = $1::integer::oid and objid = hashtext('lost')::oid
       and database = (select oid from pg_database where datname = current_database())`,
      [WORKER_LOCK_CLASS],
    );
    await held;
    await queue.waitFor(id, 'done');
    await client.end();
    expect(events).toEqual([
      'lost starts',
      'lost stops: The worker lost touch with the store; the job will run again.',
      'heir starts',
    ]);
  });
});

describe('a worker that was frozen past its lease', () => {
  it('finds its job taken, and cannot change how it ended', async () => {
    await using queue = await createQueue();
    const { store } = queue;
    await store.pool.query(RUNS_TABLE);
    const timing = { leaseMs: 4000, renewMs: 500, stopMs: 500 };
    await using frozen = startWorkerProcess({ url: store.url, name: 'frozen', timing });
    await frozen.ready;
    const { id } = await store.db
      .transaction()
      .execute((tx) => enqueue(tx, { kind: recordedJob, payload: { holdMs: 3000 } }));
    const countRuns = async () => (await store.pool.query('select from runs')).rowCount;
    await eventually('it runs', async () => (await countRuns()) === 1);
    process.kill(frozen.pid, 'SIGSTOP');
    await using heir = startWorkerProcess({ url: store.url, name: 'heir', timing });
    await heir.ready;
    await queue.waitFor(id, 'done');
    const ended = (await store.pool.query('select * from jobs')).rows;
    process.kill(frozen.pid, 'SIGCONT');
    await eventually('the frozen one let go', async () => {
      return (await store.pool.query('select from runs where ended_at is null')).rowCount === 0;
    });
    expect(await countRuns()).toBe(2);
    expect((await store.pool.query('select * from jobs')).rows).toEqual(ended);
    expect(ended).toMatchObject([{ attempt: 2, state: 'done' }]);
  });
});

describe('a second worker of the same name', () => {
  it('takes nothing until the first one has ended', async () => {
    await using queue = await createQueue();
    const { handler, seen } = endlessHandler();
    const first = await queue.work([handler], { concurrency: 1 });
    const ids = [await queue.add(), await queue.add()];
    await eventually('one runs', () => seen.started === 1);
    let ran = 0;
    const second = queue.work([handleJob(noteJob, async () => void ran++)]);
    await delay(300);
    expect(ran).toBe(0);
    expect(await findJob(queue.store.db, ids[0]!)).toMatchObject({ state: 'running', attempt: 1 });
    await first.stop({ finishMs: 0 });
    await second;
    for (const id of ids) await queue.waitFor(id, 'done');
    expect(ran).toBe(2);
  });
});
