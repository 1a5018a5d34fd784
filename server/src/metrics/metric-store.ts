import { sql } from 'kysely';
import { dayOf, ensureDayPartitions, numberOfDay, type DayPartitioned } from '../db/day-partitions.ts';
import type { Db, Tx } from '../db/pool.ts';
import { encodeHistogram } from './latency-histogram.ts';
import { MINUTE_MS, MINUTES_PER_DAY, MINUTES_PER_QUARTER, PLATFORM, QUARTERS_PER_DAY } from './minute-row.ts';
import type { MinuteRow } from './minute-row.ts';

/** `mins` and `qrts` as numbers. */
export const minutePartitions: DayPartitioned = {
  table: 'metric_minutes',
  lock: 0x6d_69_6e_73,
  boundOf: (day) => numberOfDay(day) * MINUTES_PER_DAY,
};
export const quarterPartitions: DayPartitioned = {
  table: 'metric_quarters',
  lock: 0x71_72_74_73,
  boundOf: (day) => numberOfDay(day) * QUARTERS_PER_DAY,
};

export const dayOfMinute = (minute: number): string => dayOf(minute * MINUTE_MS);

export async function ensureMinutePartitions(db: Db, days: readonly string[]): Promise<void> {
  await db.transaction().execute((tx) => ensureDayPartitions(tx, minutePartitions, days));
}

/**
 * Each row takes the place of what its source wrote before. Environments that are gone are left out. The days'
 * partitions must be there.
 */
export async function writeMinutes(db: Db, rows: readonly MinuteRow[]): Promise<void> {
  const traffic = rows.map((row) => row.traffic);
  const usage = rows.map((row) => row.usage);
  await sql`
    with pending as (
      insert into metric_pending_quarters
      select distinct minute / ${MINUTES_PER_QUARTER}::int from unnest(${rows.map((row) => row.minute)}::int[]) minute
      order by 1
      on conflict (quarter) do update set quarter = excluded.quarter
    )
    insert into metric_minutes as m (
      environment_id, minute, source, requests, bytes_in, bytes_out, latencies,
      looks, instances, memory_bytes, cpu_seconds, cpu_allowed_seconds
    )
    select * from unnest(
      ${rows.map((row) => row.environmentId)}::text[], ${rows.map((row) => row.minute)}::int[],
      ${rows.map((row) => row.source)}::bigint[],
      ${traffic.map((part) => part?.requests ?? null)}::bigint[],
      ${traffic.map((part) => part?.bytesIn ?? null)}::bigint[],
      ${traffic.map((part) => part?.bytesOut ?? null)}::bigint[],
      ${traffic.map((part) => part?.latencies && encodeHistogram(part.latencies))}::bytea[],
      ${usage.map((part) => part?.looks ?? null)}::int[],
      ${usage.map((part) => part?.instances ?? null)}::int[],
      ${usage.map((part) => part?.memoryBytes ?? null)}::float8[],
      ${usage.map((part) => part?.cpuSeconds ?? null)}::float8[],
      ${usage.map((part) => part?.cpuAllowedSeconds ?? null)}::float8[]
    ) as given (environment_id)
    where environment_id = ${PLATFORM} or environment_id in (select id from environments)
    on conflict (environment_id, minute, source) do update set
      requests = excluded.requests, bytes_in = excluded.bytes_in, bytes_out = excluded.bytes_out,
      latencies = excluded.latencies, looks = excluded.looks, instances = excluded.instances,
      memory_bytes = excluded.memory_bytes, cpu_seconds = excluded.cpu_seconds,
      cpu_allowed_seconds = excluded.cpu_allowed_seconds`.execute(db);
}

export async function deleteMetricsOf(tx: Tx, environmentId: string): Promise<void> {
  await tx.deleteFrom('metric_minutes').where('environment_id', '=', environmentId).execute();
  await tx.deleteFrom('metric_quarters').where('environment_id', '=', environmentId).execute();
}
