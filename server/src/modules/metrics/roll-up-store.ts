import { sql } from 'kysely';
import { ensureDayPartitions } from '../../db/day-partitions.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { decodeHistogram, encodeHistogram } from '../../metrics/latency-histogram.ts';
import { dayOfMinute, quarterPartitions } from '../../metrics/metric-store.ts';
import { MINUTES_PER_QUARTER, PLATFORM } from '../../metrics/minute-row.ts';
import { sumUp } from './metrics-store.ts';

/** Those that ended by then, the oldest first. */
export async function listPendingQuarters(db: Db, endedBy: number): Promise<number[]> {
  const rows = await db
    .selectFrom('metric_pending_quarters')
    .select('quarter')
    .where('quarter', '<', endedBy)
    .orderBy('quarter')
    .execute();
  return rows.map(({ quarter }) => quarter);
}

/** Whoever writes minutes of it now is waited for; whoever comes later says that they are not in the sum. */
export async function takePending(tx: Tx, quarter: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('metric_pending_quarters')
    .where('quarter', '=', quarter)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** What several minutes come to; null where none of them had it. */
export interface Sum {
  environment_id: string;
  requests: number | null;
  bytes_in: number | null;
  bytes_out: number | null;
  latencies: Buffer | null;
  looks: number | null;
  instances: number | null;
  memory_bytes: number | null;
  cpu_seconds: number | null;
  cpu_allowed_seconds: number | null;
}

/** Sums of every environment that is still there. */
export async function sumUpQuarter(tx: Tx, quarter: number): Promise<Sum[]> {
  const first = quarter * MINUTES_PER_QUARTER;
  const figures = sql`
    select * from metric_minutes
    where minute >= ${first} and minute < ${first + MINUTES_PER_QUARTER}
      and (environment_id = ${PLATFORM} or environment_id in (select id from environments))`;
  const { rows } = await sql<Sum>`${sumUp(figures, sql`0`)} order by 1`.execute(tx);
  return rows;
}

export async function writeQuarter(tx: Tx, quarter: number, rows: readonly Sum[]): Promise<void> {
  await ensureDayPartitions(tx, quarterPartitions, [dayOfMinute(quarter * MINUTES_PER_QUARTER)]);
  await sql`
    insert into metric_quarters (
      quarter, environment_id, requests, bytes_in, bytes_out, latencies,
      looks, instances, memory_bytes, cpu_seconds, cpu_allowed_seconds
    )
    select ${quarter}::int, * from unnest(
      ${rows.map((row) => row.environment_id)}::text[], ${rows.map((row) => row.requests)}::bigint[],
      ${rows.map((row) => row.bytes_in)}::bigint[], ${rows.map((row) => row.bytes_out)}::bigint[],
      ${rows.map(({ latencies }) => latencies && encodeHistogram(decodeHistogram(latencies)))}::bytea[],
      ${rows.map((row) => row.looks)}::int[], ${rows.map((row) => row.instances)}::int[],
      ${rows.map((row) => row.memory_bytes)}::float8[], ${rows.map((row) => row.cpu_seconds)}::float8[],
      ${rows.map((row) => row.cpu_allowed_seconds)}::float8[]
    )
    on conflict (environment_id, quarter) do update set
      requests = excluded.requests, bytes_in = excluded.bytes_in, bytes_out = excluded.bytes_out,
      latencies = excluded.latencies, looks = excluded.looks, instances = excluded.instances,
      memory_bytes = excluded.memory_bytes, cpu_seconds = excluded.cpu_seconds,
      cpu_allowed_seconds = excluded.cpu_allowed_seconds`.execute(tx);
}

/** The oldest of which there is something to sum up; null: none. */
export async function findOldestPending(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('metric_pending_quarters')
    .select(({ fn }) => fn.min('quarter').as('quarter'))
    .executeTakeFirst();
  return row?.quarter ?? null;
}
