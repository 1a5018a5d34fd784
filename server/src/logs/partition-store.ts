import { dropDayPartition, ensureDayPartitions, listDayPartitions, type DayPartitioned } from '../db/day-partitions.ts';
import type { Db, Tx } from '../db/pool.ts';

/** The lock is `logs` as a number. */
const logPartitions: DayPartitioned = { table: 'log_chunks', lock: 0x6c_6f_67_73, boundOf: (day) => day };

/** Of days such as `2026-11-15`. Nothing but a look where they are all there. */
export const ensurePartitions = (tx: Tx, days: readonly string[]): Promise<void> =>
  ensureDayPartitions(tx, logPartitions, days);

/** The days that have one, the oldest first. */
export const listPartitions = (db: Db): Promise<string[]> => listDayPartitions(db, logPartitions);

/** Where somebody holds the logs it fails soon, to be tried again. */
export const dropPartition = (db: Db, day: string): Promise<void> => dropDayPartition(db, logPartitions, day);
