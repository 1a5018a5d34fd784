import { sql } from 'kysely';
import { ensureDayPartitions } from '../../server/src/db/day-partitions.ts';
import type { Db } from '../../server/src/db/pool.ts';
import { encodeHistogram, newHistogram } from '../../server/src/metrics/latency-histogram.ts';
import { dayOfMinute, ensureMinutePartitions, quarterPartitions } from '../../server/src/metrics/metric-store.ts';
import { MINUTES_PER_DAY, MINUTES_PER_QUARTER, PLATFORM, quarterOf } from '../../server/src/metrics/minute-row.ts';

/** Environments of one application, as many as are asked for. */
export async function seedEnvironments(db: Db, count: number): Promise<string[]> {
  await sql`insert into organisations (id, name, slug, plan) values ('org_bench', 'Bench', 'bench', 'pro')`.execute(db);
  await sql`
    insert into applications (id, organisation_id, name, slug, deployment_type, framework, source_type, status)
    values ('app_bench', 'org_bench', 'Bench', 'bench', 'container', 'node', 'upload', 'healthy')`.execute(db);
  const ids = Array.from({ length: count }, (_, number) => `env_${String(number).padStart(26, '0')}`);
  await sql`
    insert into environments (id, organisation_id, application_id, name, subdomain, status, created_at)
    select id, 'org_bench', 'app_bench', id, replace(id, '_', '-'), 'healthy', now() - interval '30 days'
    from unnest(${ids}::text[]) id`.execute(db);
  return ids;
}

/** Latencies as they are of a site with some hundred requests: a dozen buckets. */
function someLatencies() {
  const histogram = newHistogram();
  for (let bucket = 20; bucket < 32; bucket++) histogram[bucket] = 1 + ((bucket * 7) % 40);
  return histogram;
}

/** A week of sums, and so many of the latest minutes, by two edges and a worker. */
export async function seedWeek(db: Db, ids: readonly string[], { now, minutes }: { now: number; minutes: number }) {
  const running = quarterOf(now);
  const latencies = encodeHistogram(someLatencies());
  const who = [PLATFORM, ...ids];
  for (let day = 0; day <= 8; day++) {
    const first = running - ((day + 1) * MINUTES_PER_DAY) / MINUTES_PER_QUARTER;
    const days = [first, first + 95].map((quarter) => dayOfMinute(quarter * MINUTES_PER_QUARTER));
    await db.transaction().execute((tx) => ensureDayPartitions(tx, quarterPartitions, [...new Set(days)]));
    await sql`
      insert into metric_quarters
      select id, quarter, 300, 30000, 3000000, ${latencies}::bytea, 900, 900, 9e10, 90, 900
      from generate_series(${first}::int, ${first + 95}::int) quarter, unnest(${who}::text[]) id`.execute(db);
  }
  await ensureMinutePartitions(db, [...new Set([dayOfMinute(now - minutes), dayOfMinute(now)])]);
  await sql`
    insert into metric_minutes
    select id, minute, source, 20, 2000, 200000, ${latencies}::bytea, null, null, null, null, null
    from generate_series(${now - minutes}::int, ${now}::int) minute, generate_series(1, 2) source,
      unnest(${who}::text[]) id
    union all
    select id, minute, 3, null, null, null, null, 60, 60, 6e9, 6, 60
    from generate_series(${now - minutes}::int, ${now}::int) minute, unnest(${who}::text[]) id`.execute(db);
  await sql`insert into metric_pending_quarters values (${running}), (${running - 1})`.execute(db);
  await sql`delete from metric_quarters where quarter >= ${running - 1}`.execute(db);
  await sql`vacuum analyze metric_quarters`.execute(db);
  await sql`vacuum analyze metric_minutes`.execute(db);
}
