import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';

export interface UsageStep {
  step: number;
  cpu: number | null;
  memory: number | null;
  storage: number | null;
  connections: number | null;
}

/** What was measured in each step of so many minutes, on average; steps without a measurement are left out. */
export async function readUsage(
  db: Db,
  databaseId: string,
  { firstMinute, stepMinutes }: { firstMinute: number; stepMinutes: number },
): Promise<UsageStep[]> {
  const { rows } = await sql<UsageStep>`
    select
      ((extract(epoch from minute)::bigint / 60 - ${firstMinute}::bigint) / ${stepMinutes}::bigint)::int as step,
      avg(cpu)::float8 as cpu,
      avg(memory_bytes)::float8 as memory,
      avg(storage_bytes)::float8 as storage,
      avg(connections)::float8 as connections
    from database_minutes
    where database_id = ${databaseId} and minute >= to_timestamp(${firstMinute}::bigint * 60)
    group by 1 order by 1`.execute(db);
  return rows;
}

/** How much of its storage a database used at that time, as far as it was measured: by the last figure before it. */
export async function readUsedBytes(db: Db, databaseId: string, at: Date): Promise<number | null> {
  const last = await db
    .selectFrom('database_minutes')
    .select('storage_bytes')
    .where('database_id', '=', databaseId)
    .where('minute', '<=', at)
    .orderBy('minute', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? Number(last.storage_bytes) : null;
}
