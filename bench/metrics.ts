/**
 * What do metrics cost? Writing: a thousand environments with something to say every moment, counted by two
 * edges and a worker with the code that they run, an hour of it made to pass as fast as it will; the processor
 * time of our side and of the store (its checkpoints and its tidying up with it), against that hour. Reading: how
 * much more than an hour seven days of one environment take, with a week of a thousand in the store.
 */
import { join } from 'node:path';
import { migrate } from '../server/src/db/migrate.ts';
import { openStore } from '../server/src/db/pool.ts';
import { createTrafficRecorder } from '../server/src/edge/traffic/record-traffic.ts';
import { Traffic } from '../server/src/edge/traffic/traffic.ts';
import { createLog } from '../server/src/lib/log.ts';
import { MinuteBook } from '../server/src/metrics/minute-book.ts';
import { minuteOf } from '../server/src/metrics/minute-row.ts';
import { createMinuteWriter, type MinuteWriter } from '../server/src/metrics/minute-writer.ts';
import { UsageMeter } from '../server/src/metrics/usage-meter.ts';
import { readDetailed, readSparklines } from '../server/src/modules/metrics/read-series.ts';
import { rollUp } from '../server/src/modules/metrics/roll-up.ts';
import { metricNames, metricRanges, type MetricRange } from '../contract/src/states.ts';
import { dataDirectoryOf, startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { quantile } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';
import { seedEnvironments, seedWeek } from './metrics/seed.ts';
import { storeSeconds } from './metrics/store-time.ts';

const ENVIRONMENTS = 1000;
const EDGES = 2;
const MINUTES = 60;
const FLUSH_SECONDS = 20;
const LOOK_SECONDS = 1;
const MAX_CORE_PERCENT = 2;
const READS = roundsOf(200);
const WARM_UP_READS = 20;
const MAX_READ_RATIO = 2.5;
/** Of minutes: all that is ever read of them is six hours. */
const SEEDED_MINUTES = 6 * 60;

const home = scratchFolder('metrics');
const options = { directory: join(home, 'store'), logFile: join(home, 'store.log'), password: 'only-for-the-bench' };
const running = await startEmbeddedStore(options);
const store = openStore(
  { kind: 'socket', directory: dataDirectoryOf(options), password: options.password },
  { max: 3, applicationName: 'bench' },
);
try {
  await migrate(store.db);
  const ids = await seedEnvironments(store.db, ENVIRONMENTS);
  await measureWrites(ids);
  await store.pool.query('truncate metric_minutes, metric_quarters, metric_pending_quarters');
  await measureReads(ids);
} finally {
  await store.close();
  await stopEmbeddedStore(running.process);
}

/** The clock of the hour that passes. */
function createHour() {
  let ms = Date.parse('2026-11-15T10:00:00Z');
  return { now: () => new Date(ms), advance: (seconds: number) => (ms += seconds * 1000) };
}

async function measureWrites(ids: readonly string[]): Promise<void> {
  const clock = createHour();
  const log = createLog({ level: 'error', role: 'bench' });
  const edges = Array.from({ length: EDGES }, () => {
    const [traffic, book] = [new Traffic(), new MinuteBook()];
    const writer = createMinuteWriter({ store, book, clock, log, collect: createTrafficRecorder(traffic, book) });
    return { traffic, writer };
  });
  const book = new MinuteBook();
  const meter = new UsageMeter(book);
  const writers = [...edges.map(({ writer }) => writer), createMinuteWriter({ store, book, clock, log })];
  let [ours, rows] = [0, 0];
  const before = storeSeconds(running.process.pid);
  for (let second = 0; second <= MINUTES * 60; second += LOOK_SECONDS) {
    ours += await timeOf(() => lookAt(meter, ids, clock.now().getTime()));
    if (second % FLUSH_SECONDS === 0) {
      for (const { traffic } of edges) visitAll(traffic, ids);
      ours += await timeOf(() => flushAll(writers));
      rows += writers.length * ids.length;
    }
    // As often as the worker sums up, and the store writes down where it is.
    if (second % 300 === 0) {
      ours += await timeOf(() => rollUp(store, { nowMs: clock.now().getTime() }));
      await store.pool.query('checkpoint');
    }
    if (second % 1800 === 0) await store.pool.query('vacuum analyze metric_minutes');
    clock.advance(LOOK_SECONDS);
  }
  const theirs = storeSeconds(running.process.pid) - before;
  const { rows: sizes } = await store.pool.query<{ mb: string }>(
    `select sum(pg_total_relation_size(inhrelid)) / 1e6 as mb from pg_inherits where inhparent = 'metric_minutes'::regclass`,
  );
  console.log(
    `writes: ${EDGES} edges and a worker, ${rows} rows an hour, which take ${Number(sizes[0]!.mb).toFixed(0)} MB: ` +
      `ours ${percentOf(ours).toFixed(2)} % and the store's ${percentOf(theirs).toFixed(2)} % of a core`,
  );
  report({
    name: `writing the metrics of ${ENVIRONMENTS} environments`,
    unit: '% of a core',
    ours: percentOf(ours + theirs),
    bar: { of: 'ours', atMost: MAX_CORE_PERCENT },
  });
}

/** Of a core, for the hour. */
function percentOf(seconds: number): number {
  return (100 * seconds) / (MINUTES * 60);
}

async function flushAll(writers: readonly MinuteWriter[]): Promise<void> {
  await Promise.all(writers.map((writer) => writer.flush()));
}

function lookAt(meter: UsageMeter, ids: readonly string[], nowMs: number): void {
  const cpuSeconds = nowMs / 10_000;
  meter.look(
    ids.map((environmentId) => ({ id: environmentId, environmentId, cpuSeconds, cpus: 1, memoryBytes: 1e8 })),
    nowMs,
  );
}

/** What it takes to count is the requests' own cost: bench/edge-static and bench/edge-proxy have it. */
function visitAll(traffic: Traffic, ids: readonly string[]): void {
  for (const id of ids) {
    const counters = traffic.of(id);
    for (let visit = 0; visit < 10; visit++) counters.noteAnswer(200, 2 ** visit);
    counters.noteBytes(5000, 50_000);
  }
}

/** Seconds of our own processor time. */
async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function measureReads(ids: readonly string[]): Promise<void> {
  const nowMs = Date.now();
  await seedWeek(store.db, ids, { now: minuteOf(nowMs), minutes: SEEDED_MINUTES });
  const costs = new Map<MetricRange, number>();
  for (const range of metricRanges) {
    const query = { range, names: metricNames, nowMs };
    const read = (id: string) => readDetailed(store.db, { id, created_at: new Date(0) }, query);
    costs.set(range, await measureRead(`read ${range}`, (number) => read(ids[(number * 37) % ids.length]!)));
  }
  await measureRead('100 lines', (number) => {
    const environmentIds = ids.slice(number, number + 100);
    return readSparklines(store.db, { organisationId: 'org_bench', environmentIds, nowMs });
  });
  report({
    name: `processor time of reading seven days, against an hour, a week of ${ids.length} environments stored`,
    unit: 'ms',
    ours: costs.get('7d')!,
    theirs: costs.get('1h')!,
    bar: { of: 'ratio', atMost: MAX_READ_RATIO },
  });
}

/** Milliseconds of processor time, ours and the store's, for one. */
async function measureRead(name: string, read: (number: number) => Promise<unknown>): Promise<number> {
  for (let number = 0; number < WARM_UP_READS; number++) await read(number);
  const times: number[] = [];
  const before = storeSeconds(running.process.pid);
  let ours = 0;
  for (let number = 0; number < READS; number++) {
    const startedAt = performance.now();
    ours += await timeOf(() => read(number));
    times.push(performance.now() - startedAt);
  }
  const cost = ((ours + storeSeconds(running.process.pid) - before) * 1000) / READS;
  console.log(
    `${name.padEnd(9)} ${cost.toFixed(1)} ms of processor time; p50 ${quantile(times, 0.5).toFixed(1)} ms, ` +
      `p95 ${quantile(times, 0.95).toFixed(1)} ms`,
  );
  return cost;
}
