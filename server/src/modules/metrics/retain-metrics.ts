import { dayOf, dropDayPartition, listDayPartitions } from '../../db/day-partitions.ts';
import type { Store } from '../../db/pool.ts';
import { dayOfMinute, minutePartitions, quarterPartitions } from '../../metrics/metric-store.ts';
import { MINUTES_PER_QUARTER } from '../../metrics/minute-row.ts';
import { findOldestPending } from './roll-up-store.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Six hours are shown in minutes; a day goes when the last of it is older than that. */
const MINUTES_KEPT_MS = 8 * HOUR_MS;
/** Seven days are shown, with the running one an eighth. */
const QUARTERS_KEPT_MS = 8 * 24 * HOUR_MS;

/** Drops days that nobody asks for any more. Minutes that are not summed up yet are kept. */
export async function retainMetrics({ db }: Pick<Store, 'db'>, nowMs: number): Promise<void> {
  const pending = await findOldestPending(db);
  const oldestNeeded = pending === null ? '9999-12-31' : dayOfMinute(pending * MINUTES_PER_QUARTER);
  for (const day of await listDayPartitions(db, minutePartitions)) {
    if (day < dayOf(nowMs - MINUTES_KEPT_MS) && day < oldestNeeded) await dropDayPartition(db, minutePartitions, day);
  }
  for (const day of await listDayPartitions(db, quarterPartitions)) {
    if (day < dayOf(nowMs - QUARTERS_KEPT_MS)) await dropDayPartition(db, quarterPartitions, day);
  }
}
