/**
 * How soon does a job start after the transaction that enqueued it, when the worker is idle? Against a bare
 * NOTIFY, committed the same way and received in the same process, round by round. Then: how many jobs a
 * second, and how soon a killed worker's job runs again.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { migrate } from '../server/src/db/migrate.ts';
import { openStore, type Tx } from '../server/src/db/pool.ts';
import { enqueue } from '../server/src/jobs/queue-store.ts';
import { start } from '../server/src/lib/exec.ts';
import { dataDirectoryOf, startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { BARE_CHANNEL, measuredJob, now, type Seen } from './jobs/measured-job.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { quantile } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const TARGET_MS = 20;
/** From a killed worker's restart, and elsewhere from the kill. */
const AGAIN_MS = 1000;
const ELSEWHERE_MS = 6000;
const ROUNDS = roundsOf(300);
const BACKLOG = 3000;
const KILLS = roundsOf(5);

const home = scratchFolder('jobs');
const options = { directory: join(home, 'store'), logFile: join(home, 'store.log'), password: 'only-for-the-bench' };
const running = await startEmbeddedStore(options);
const store = openStore(
  { kind: 'socket', directory: dataDirectoryOf(options), password: options.password },
  { max: 2, applicationName: 'bench' },
);
const children = new Set<ChildProcess>();
const seen = new Map<string, (at: number) => void>();
let marks = 0;

try {
  await migrate(store.db);
  const worker = await startWorker('one');
  await measureStart();
  await measureThroughput();
  await measureRestart(worker);
  await measureTakeOver();
} finally {
  for (const child of children) child.kill('SIGKILL');
  await store.close();
  await stopEmbeddedStore(running.process);
}

async function measureStart(): Promise<void> {
  const jobs: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    jobs.push(await timeFromCommit((tx, mark) => enqueue(tx, { kind: measuredJob, payload: { mark, holdMs: 0 } })));
    await delay(5);
    bare.push(await timeFromCommit(notifyBarely));
    await delay(5);
  }
  const within = jobs.filter((ms) => ms <= TARGET_MS).length / ROUNDS;
  console.log(`bare notification   p50 ${format(bare, 0.5)} ms, p99 ${format(bare, 0.99)} ms after commit`);
  console.log(`job starts          p50 ${format(jobs, 0.5)} ms, p99 ${format(jobs, 0.99)} ms after commit`);
  console.log(`within ${TARGET_MS} ms        ${(within * 100).toFixed(1)} % of ${ROUNDS}`);
  report({
    name: 'commit to the start of a job, against a bare notification',
    unit: 'ms',
    ours: quantile(jobs, 0.5),
    theirs: quantile(bare, 0.5),
    bar: { of: 'ours', atMost: TARGET_MS },
  });
}

/** With a row written, as with a job: a commit that has nothing to write waits for no disk. */
function notifyBarely(tx: Tx, mark: string): Promise<unknown> {
  return sql`
    with written as (insert into attempt_counters values (${mark}, 0, now()))
    select pg_notify(${BARE_CHANNEL}, ${mark})`.execute(tx);
}

/** From just before the commit is sent, so that the commit itself counts too. */
async function timeFromCommit(work: (tx: Tx, mark: string) => Promise<unknown>): Promise<number> {
  const mark = `mark ${marks++}`;
  const came = waitFor(mark);
  const sentAt = await store.db.transaction().execute(async (tx) => {
    await work(tx, mark);
    return now();
  });
  return (await came) - sentAt;
}

async function measureThroughput(): Promise<void> {
  const startedAt = now();
  const all: Promise<number>[] = [];
  await store.db.transaction().execute(async (tx) => {
    for (let n = 0; n < BACKLOG; n++) {
      const mark = `mark ${marks++}`;
      all.push(waitFor(mark));
      await enqueue(tx, { kind: measuredJob, payload: { mark, holdMs: 0 } });
    }
  });
  const enqueuedAt = now();
  await Promise.all(all);
  const [enqueued, run] = [enqueuedAt - startedAt, now() - enqueuedAt].map((ms) => Math.round((BACKLOG * 1000) / ms));
  console.log(`throughput          ${enqueued} enqueued/s in one transaction, ${run} run/s by one worker`);
}

/** From the moment a restarted process is spawned to the job's second start. */
async function measureRestart(worker: ChildProcess): Promise<void> {
  const times: number[] = [];
  for (let kill = 0, current = worker; kill < KILLS; kill++) {
    const mark = await startLongJob();
    current.kill('SIGKILL');
    await once(current, 'exit');
    const again = waitFor(mark);
    const restartedAt = now();
    current = await startWorker('one');
    times.push((await again) - restartedAt);
    await store.pool.query('delete from jobs');
    if (kill < KILLS - 1) continue;
    current.kill('SIGKILL');
    await once(current, 'exit');
  }
  report({
    name: "a job of one that was killed, from its restart, Node's own start included, the worst",
    unit: 'ms',
    ours: Math.max(...times),
    bar: { of: 'ours', atMost: AGAIN_MS },
  });
}

async function measureTakeOver(): Promise<void> {
  const times: number[] = [];
  await startWorker('heir');
  for (let kill = 0; kill < KILLS; kill++) {
    const doomed = await startWorker('doomed');
    let mark = await startLongJob();
    while (!(await isRunBy('doomed'))) mark = await startLongJob();
    doomed.kill('SIGKILL');
    const killedAt = now();
    times.push((await waitFor(mark)) - killedAt);
    await store.pool.query('delete from jobs');
  }
  report({
    name: 'a job of one that was killed, from the kill to its start elsewhere, the worst',
    unit: 'ms',
    ours: Math.max(...times),
    bar: { of: 'ours', atMost: ELSEWHERE_MS },
  });
}

async function startLongJob(): Promise<string> {
  await store.pool.query('delete from jobs');
  const mark = `mark ${marks++}`;
  const started = waitFor(mark);
  const payload = { mark, holdMs: 600_000 };
  await store.db.transaction().execute((tx) => enqueue(tx, { kind: measuredJob, payload }));
  await started;
  return mark;
}

async function isRunBy(name: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(`select from jobs where state = 'running' and worker = $1`, [name]);
  return rowCount! > 0;
}

async function startWorker(name: string): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'jobs', 'worker.ts');
  const argv = [process.execPath, script, dataDirectoryOf(options), options.password, name] as [string, ...string[]];
  const child = start(argv, { env: {}, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const ready = Promise.withResolvers<void>();
  child.on('message', ({ mark, at }: Seen) => {
    if (mark === 'ready') ready.resolve();
    seen.get(mark)?.(at);
  });
  await ready.promise;
  return child;
}

function waitFor(mark: string): Promise<number> {
  return new Promise((resolve) => seen.set(mark, resolve));
}

function format(values: readonly number[], part: number): string {
  return quantile(values, part).toFixed(1);
}
