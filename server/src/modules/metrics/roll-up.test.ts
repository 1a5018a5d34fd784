import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDayPartitions } from '../../db/day-partitions.ts';
import { newHistogram } from '../../metrics/latency-histogram.ts';
import {
  ensureMinutePartitions,
  dayOfMinute,
  minutePartitions,
  quarterPartitions,
  writeMinutes,
} from '../../metrics/metric-store.ts';
import { MINUTE_MS, PLATFORM, type MinuteRow } from '../../metrics/minute-row.ts';
import { createApplication, createOwner, productionOf } from '../../testing/factories.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { createAccessTokens } from '../accounts/access-token.ts';
import { readSteps } from './metrics-store.ts';
import { stepsOf } from './metrics.ts';
import { retainMetrics } from './retain-metrics.ts';
import { rollUp } from './roll-up.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
const QUARTER_MS = 15 * MINUTE_MS;
const start = Date.parse('2026-11-15T10:00:00Z');

let store: TestStore;
let environmentId: string;
beforeAll(async () => {
  store = await createTestStore();
  const clock = createFakeClock();
  const accessTokens = createAccessTokens({ signingKey: Buffer.alloc(32), clock });
  const { organisationId } = await createOwner({ store, clock, accessTokens });
  environmentId = (await productionOf({ store }, (await createApplication({ store }, { organisationId })).id)).id;
});
afterAll(() => store[Symbol.asyncDispose]());

function row(atMs: number, requests: number, source = '1', id = environmentId): MinuteRow {
  const latencies = newHistogram();
  latencies[10] = requests;
  return {
    environmentId: id,
    minute: atMs / MINUTE_MS,
    source,
    traffic: { requests, bytesIn: 1, bytesOut: 2, latencies },
    usage: { looks: 1, instances: 1, memoryBytes: 5, cpuSeconds: 0.5, cpuAllowedSeconds: 1 },
  };
}

async function write(...rows: MinuteRow[]): Promise<void> {
  await ensureMinutePartitions(store.db, [...new Set(rows.map(({ minute }) => dayOfMinute(minute)))]);
  await writeMinutes(store.db, rows);
}

const quarters = () =>
  store.db
    .selectFrom('metric_quarters')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .orderBy('quarter')
    .execute();

const totalOf = async (nowMs: number) => {
  const rows = await readSteps(store.db, environmentId, stepsOf('24h', nowMs));
  return rows
    .filter((some) => some.environmentId === environmentId)
    .map(({ step, traffic }) => [step, traffic?.requests]);
};

describe('sums of quarters of an hour', () => {
  it('are made of all minutes and all processes, once the quarter is over', async () => {
    const minutes = Array.from({ length: 15 }, (_, minute) => start + minute * MINUTE_MS);
    await write(...minutes.flatMap((atMs) => [row(atMs, 1), row(atMs, 10, '2')]), row(start + QUARTER_MS, 100));
    await rollUp(store, { nowMs: start + QUARTER_MS + MINUTE_MS });
    expect(await quarters()).toEqual([]);
    const before = await totalOf(start + QUARTER_MS);
    await rollUp(store, { nowMs: start + QUARTER_MS + 2 * MINUTE_MS });
    const [sum] = await quarters();
    expect(sum).toMatchObject({
      requests: '165',
      bytes_out: '60',
      looks: 30,
      instances: 30,
      memory_bytes: 5,
      cpu_seconds: 15,
    });
    expect(sum!.latencies).toEqual(Buffer.from([10, 165 - 128 + 128, 1]));
    // It makes no difference to whoever reads.
    expect(await totalOf(start + QUARTER_MS)).toEqual(before);
    expect(before).toEqual([
      [94, 165],
      [95, 100],
    ]);
  });

  it('are made anew when a minute comes late, and are the same when made twice', async () => {
    await write(row(start, 3, '3'));
    expect(await totalOf(start + QUARTER_MS)).toEqual([
      [94, 168],
      [95, 100],
    ]);
    for (let time = 0; time < 2; time++) await rollUp(store, { nowMs: start + QUARTER_MS + 2 * MINUTE_MS });
    expect(await quarters()).toMatchObject([{ requests: '168' }]);
    expect(await totalOf(start + QUARTER_MS)).toEqual([
      [94, 168],
      [95, 100],
    ]);
  });

  it('miss nothing of what is being written while they are made', async () => {
    const late = store.newClient();
    await late.connect();
    try {
      const quarter = start / QUARTER_MS;
      await late.query('begin');
      await late.query(
        `insert into metric_minutes (environment_id, minute, source, requests) values ($1, $2, 4, 1000)`,
        [environmentId, start / MINUTE_MS],
      );
      await late.query(
        'insert into metric_pending_quarters values ($1) on conflict (quarter) do update set quarter = excluded.quarter',
        [quarter],
      );
      const summing = rollUp(store, { nowMs: start + QUARTER_MS + 2 * MINUTE_MS });
      await late.query('commit');
      await summing;
      await rollUp(store, { nowMs: start + QUARTER_MS + 2 * MINUTE_MS });
      expect(await quarters()).toMatchObject([{ requests: '1168' }]);
    } finally {
      await late.end();
    }
  });

  it('have the memory of the highest minute: the most of each machine, of all machines together', async () => {
    const later = start + 4 * QUARTER_MS;
    const using = (minute: number, source: bigint, memoryBytes: number): MinuteRow => {
      const made = row(later + minute * MINUTE_MS, 1, String(source));
      return { ...made, usage: { ...made.usage!, memoryBytes } };
    };
    const [one, other] = [1n << 32n, 2n << 32n];
    await write(
      using(0, one, 50),
      using(0, other, 20),
      // A worker that was started again sees the same instances.
      using(1, one, 40),
      using(1, one + 1n, 60),
      using(1, other, 15),
      using(2, other, 70),
    );
    const memoryOf = async () => {
      const rows = await readSteps(store.db, environmentId, stepsOf('24h', later));
      return rows.findLast((some) => some.environmentId === environmentId && some.step === 95)?.usage?.memoryBytes;
    };
    expect(await memoryOf()).toBe(75);
    await rollUp(store, { nowMs: later + DAY_MS });
    expect((await quarters()).at(-1)).toMatchObject({ memory_bytes: 75 });
    expect(await memoryOf()).toBe(75);
  });

  it('have nothing of environments that are gone', async () => {
    const lost = row(start + MINUTE_MS, 1, '9', 'env_gone');
    await store.pool.query(
      'insert into metric_minutes (environment_id, minute, source, requests) values ($1, $2, 9, 1)',
      [lost.environmentId, lost.minute],
    );
    await write(row(start, 1, '9', PLATFORM));
    await rollUp(store, { nowMs: start + DAY_MS });
    const { rows } = await store.pool.query('select from metric_quarters where environment_id = $1', ['env_gone']);
    expect(rows).toEqual([]);
  });
});

describe('what is old', () => {
  it('is dropped a day at a time: minutes after some hours, sums after eight days; but never what is not summed up', async () => {
    await write(row(start - 9 * DAY_MS, 1), row(start - 7 * DAY_MS, 1));
    await rollUp(store, { nowMs: start - 3 * DAY_MS });
    await write(row(start - 2 * DAY_MS, 1));
    await retainMetrics(store, start);
    expect(await listDayPartitions(store.db, minutePartitions)).toEqual(['2026-11-13', '2026-11-15']);
    expect(await listDayPartitions(store.db, quarterPartitions)).toEqual(['2026-11-08', '2026-11-15']);
    await rollUp(store, { nowMs: start });
    await retainMetrics(store, start);
    expect(await listDayPartitions(store.db, minutePartitions)).toEqual(['2026-11-15']);
    expect((await quarters()).map(({ requests }) => requests)).toEqual(['1', '1', '1168', '100', '6']);
  });
});
