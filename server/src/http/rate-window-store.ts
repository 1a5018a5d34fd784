import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { RATE_WINDOW_SECONDS, type ClientCount } from '../lib/rate-limit.ts';

/**
 * Adds what one api has counted to what all have, in one statement, and says what that makes. The window of a client
 * begins with the first of all its requests. In the order of the clients, so that no two apis wait for each other.
 */
export async function addToRateWindows(
  db: Db,
  counts: readonly ClientCount[],
): Promise<(ClientCount & { endsInMs: number })[]> {
  const clients = counts.map(({ client }) => client);
  const used = counts.map((count) => count.used);
  const { rows } = await sql<{ client: string; used: string; endsInMs: number }>`
    insert into rate_windows as known (client, used, ends_at)
    select client, used, now() + ${RATE_WINDOW_SECONDS} * interval '1 second'
    from unnest(${clients}::text[], ${used}::bigint[]) as counted (client, used)
    order by client
    on conflict (client) do update set
      used = excluded.used + case when known.ends_at > now() then known.used else 0 end,
      ends_at = case when known.ends_at > now() then known.ends_at else excluded.ends_at end
    returning client, used, (extract(epoch from ends_at - now()) * 1000)::float8 as "endsInMs"`.execute(db);
  return rows.map((row) => ({ ...row, used: Number(row.used) }));
}

export async function purgeRateWindows(db: Db): Promise<void> {
  await db
    .deleteFrom('rate_windows')
    .where('ends_at', '<', sql<Date>`now()`)
    .execute();
}
