import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';

/** What the store knows and no process counts. */
export interface StoreFacts {
  jobs: { kind: string; state: string; count: number }[];
  oldestWaitingSeconds: number;
  environments: { status: string; count: number }[];
  storeBytes: number;
}

/** Only jobs that wait or run are counted: those that ended are many, and each worker counts them as they end. */
export async function readStoreFacts(db: Db): Promise<StoreFacts> {
  const { rows } = await sql<StoreFacts>`
    select
      coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'state', state, 'count', count)) from (
        select kind, state, count(*) from jobs where state in ('queued', 'running') group by 1, 2 order by 1, 2
      ) as live), '[]') as jobs,
      coalesce((
        select extract(epoch from now() - min(run_at)) from jobs where state = 'queued' and run_at <= now()
      ), 0)::float8 as "oldestWaitingSeconds",
      coalesce((select jsonb_agg(jsonb_build_object('status', status, 'count', count)) from (
        select status, count(*) from environments group by 1 order by 1
      ) as all_environments), '[]') as environments,
      pg_database_size(current_database())::float8 as "storeBytes"`.execute(db);
  return rows[0]!;
}
