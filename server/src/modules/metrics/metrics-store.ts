import type { Sum } from './roll-up-store.ts';
import type { DeploymentType } from '@lilac/contract/states';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/pool.ts';
import { decodeHistogram } from '../../metrics/latency-histogram.ts';
import { MINUTE_MS, MINUTES_PER_QUARTER, PLATFORM } from '../../metrics/minute-row.ts';
import type { StepFigures, Steps } from './metrics.ts';

export interface SeriesRow extends StepFigures {
  environmentId: string;
  step: number;
}

interface SummedRow extends Sum {
  step: number;
}

/** Of the environment and of the platform itself, by step; where there is nothing, there is no row. */
export async function readSteps(db: Db, environmentId: string, steps: Steps): Promise<SeriesRow[]> {
  const { firstMinute, stepMinutes } = steps;
  const stepOf = (minute: RawBuilder<unknown>) => sql`(${minute} - ${firstMinute}::int) / ${stepMinutes}::int`;
  const summed =
    stepMinutes < MINUTES_PER_QUARTER ? sumUpMinutes(firstMinute, stepOf) : sumUpQuarters(firstMinute, stepOf);
  const { rows } = await sql<SummedRow>`
    with who (environment_id) as (values (${environmentId}::text), (${PLATFORM}))
    select * from (${summed}) steps`.execute(db);
  return rows.map(figuresOf);
}

/**
 * How often the platform looked at its instances in that time. Looks come evenly within the smallest span of which
 * something is kept: a minute, and a quarter of an hour once the minutes are gone.
 */
export async function countPlatformLooks(db: Db, { from, to }: { from: Date; to: Date }): Promise<number> {
  const sumOf = (spans: RawBuilder<unknown>, at: RawBuilder<unknown>, spanMs: number) => {
    const [first, end] = [from.getTime() / spanMs, to.getTime() / spanMs];
    return sql`
      select sum(looks * least(1, ${at} + 1 - ${first}::float8)) from ${spans}
      where environment_id = ${PLATFORM} and ${at} >= ${Math.floor(first)}::int and ${at} < ${Math.ceil(end)}::int`;
  };
  const { rows } = await sql<{ looks: number }>`
    select coalesce(
      (${sumOf(sql`metric_minutes`, sql`minute`, MINUTE_MS)}),
      (${sumOf(sql`metric_quarters`, sql`quarter`, MINUTE_MS * MINUTES_PER_QUARTER)}),
      0
    ) as looks`.execute(db);
  return rows[0]!.looks;
}

/**
 * What the figures of each environment come to, step by step. Memory is that of the highest minute: the most that
 * was seen on each machine, by whichever of its processes, added up. Histograms one after the other are their sum.
 */
export const sumUp = (figures: RawBuilder<unknown>, step: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with figures as (${figures}), peaks as (
    select environment_id, minute, sum(bytes) as peak_bytes from (
      select environment_id, minute, max(memory_bytes) as bytes from figures
      group by environment_id, minute, source >> 32
    ) machines
    group by 1, 2
  )
  select environment_id, ${step} as step, ${sumsWith(sql`peak_bytes`)} from figures join peaks using (environment_id, minute)
  group by 1, 2`;

const sumsWith = (peakBytes: RawBuilder<unknown>) => sql`
  sum(requests)::float8 as requests, sum(bytes_in)::float8 as bytes_in, sum(bytes_out)::float8 as bytes_out,
  string_agg(latencies, ''::bytea) as latencies, sum(looks)::int as looks, sum(instances)::int as instances,
  max(${peakBytes}) as memory_bytes, sum(cpu_seconds) as cpu_seconds,
  sum(cpu_allowed_seconds) as cpu_allowed_seconds`;

const columns = sql`requests, bytes_in, bytes_out, latencies,
  looks, instances, memory_bytes, cpu_seconds, cpu_allowed_seconds`;

const asked = sql`(select environment_id from who)`;

type StepOf = (minute: RawBuilder<unknown>) => RawBuilder<unknown>;

const sumUpMinutes = (firstMinute: number, stepOf: StepOf): RawBuilder<unknown> =>
  sumUp(
    sql`
      select environment_id, minute, source, ${columns} from metric_minutes
      where environment_id in ${asked} and minute >= ${firstMinute}`,
    stepOf(sql`minute`),
  );

/** Of the sums of quarters, and of the minutes of those whose sums are not made, or not made anew. */
function sumUpQuarters(firstMinute: number, stepOf: StepOf): RawBuilder<unknown> {
  const firstQuarter = firstMinute / MINUTES_PER_QUARTER;
  const pendingMinutes = sql`
    select m.* from metric_pending_quarters p cross join lateral (
      select environment_id, minute, source, ${columns} from metric_minutes
      where environment_id in ${asked} and minute >= p.quarter * ${MINUTES_PER_QUARTER}::int
        and minute < (p.quarter + 1) * ${MINUTES_PER_QUARTER}::int
    ) m
    where p.quarter >= ${firstQuarter}`;
  return sql`
    select environment_id, ${stepOf(sql`quarter * ${MINUTES_PER_QUARTER}::int`)} as step, ${sumsWith(sql`memory_bytes`)}
    from (
      select environment_id, quarter, ${columns} from metric_quarters
      where environment_id in ${asked} and quarter >= ${firstQuarter}
        and quarter not in (select quarter from metric_pending_quarters)
      union all
      select environment_id, step as quarter, ${columns}
      from (${sumUp(pendingMinutes, sql`minute / ${MINUTES_PER_QUARTER}::int`)}) pending
    ) quarters
    group by 1, 2`;
}

function figuresOf(row: SummedRow): SeriesRow {
  const { requests, looks } = row;
  return {
    environmentId: row.environment_id,
    step: row.step,
    traffic:
      requests === null
        ? null
        : {
            requests,
            bytesIn: row.bytes_in ?? 0,
            bytesOut: row.bytes_out ?? 0,
            latencies: row.latencies && decodeHistogram(row.latencies),
          },
    usage:
      looks === null
        ? null
        : {
            looks,
            instances: row.instances ?? 0,
            memoryBytes: row.memory_bytes ?? 0,
            cpuSeconds: row.cpu_seconds ?? 0,
            cpuAllowedSeconds: row.cpu_allowed_seconds ?? 0,
          },
  };
}

export async function findDeploymentType(db: Db, applicationId: string): Promise<DeploymentType> {
  const { deployment_type } = await db
    .selectFrom('applications')
    .select('deployment_type')
    .where('id', '=', applicationId)
    .executeTakeFirstOrThrow();
  return deployment_type;
}

export interface RequestRow {
  environmentId: string;
  /** Null: only says that there is this environment, and since when. */
  minute: number | null;
  requests: number | null;
  createdAt: Date | null;
}

/** Of those that are the organisation's, and of the platform itself: what it has watched. */
export async function readRequests(
  db: Db,
  { organisationId, environmentIds, firstMinute }: RequestsOf,
): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    with wanted as (
      select id, created_at from environments
      where organisation_id = ${organisationId} and id = any(${environmentIds}::text[])
    )
    select m.environment_id as "environmentId", m.minute, sum(m.requests)::float8 as requests,
      null::timestamptz as "createdAt"
    from (select id from wanted union all select ${PLATFORM}) who
    join metric_minutes m on m.environment_id = who.id and m.minute >= ${firstMinute} and m.requests is not null
    group by 1, 2
    union all
    select id, null, null, created_at from wanted`.execute(db);
  return rows;
}

export interface RequestsOf {
  organisationId: string;
  environmentIds: readonly string[];
  firstMinute: number;
}
