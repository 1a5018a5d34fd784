import { readConfig } from '../../../server/src/config.ts';
import { openStore } from '../../../server/src/db/pool.ts';
import { latencyBucket, newHistogram } from '../../../server/src/metrics/latency-histogram.ts';
import { dayOfMinute, ensureMinutePartitions, writeMinutes } from '../../../server/src/metrics/metric-store.ts';
import { minuteOf, type MinuteRow, PLATFORM } from '../../../server/src/metrics/minute-row.ts';
import { storeAddressOf } from '../../../server/src/store/store-address.ts';
import type { Platform } from '../../platform.ts';

const MINUTES = 60;
const SOURCE = '1';
const BYTES_OF_A_PAGE = 18_000;

/** As if they had been there since yesterday, and had visitors in the last hour: the first the most. */
export async function writePastHour(platform: Platform, environmentIds: readonly string[]): Promise<void> {
  const address = storeAddressOf(readConfig({ LILAC_HOME: platform.home }));
  const store = openStore(address, { max: 1, applicationName: 'screenshots' });
  const now = minuteOf(Date.now());
  const minutes = Array.from({ length: MINUTES }, (_, index) => now - MINUTES + index);
  await ensureMinutePartitions(store.db, [...new Set(minutes.map(dayOfMinute))]);
  await store.pool.query("update environments set created_at = created_at - interval '1 day'");
  const rows = minutes.flatMap((minute, index) => [
    trafficOf(PLATFORM, minute, 0),
    ...environmentIds.map((environmentId, rank) => trafficOf(environmentId, minute, visitorsAt(index, rank))),
  ]);
  await writeMinutes(store.db, rows);
  await store.close();
}

/** A wave for each, another one for everybody, and now and then many at once. */
function visitorsAt(index: number, rank: number): number {
  const wave = 1 + Math.sin(index / (5 + rank)) * 0.6;
  const crowd = (index * 7 + rank * 3) % 13 === 0 ? 2.2 : 1;
  return Math.round((48 / (1 + rank * rank * 2)) * wave * crowd);
}

function trafficOf(environmentId: string, minute: number, requests: number): MinuteRow {
  const latencies = newHistogram();
  latencies[latencyBucket(12)] = requests;
  const traffic = { requests, bytesIn: requests * 400, bytesOut: requests * BYTES_OF_A_PAGE, latencies };
  return { environmentId, minute, source: SOURCE, traffic, usage: null };
}
