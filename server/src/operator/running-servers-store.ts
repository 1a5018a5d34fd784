import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** Processes that change this store, on this host or another. */
export interface RunningServers {
  /** `api`, `worker`. */
  roles: string[];
  /** Where they come from, as the store sees it; this machine's own socket is none. */
  addresses: string[];
}

/**
 * Null: nobody. Each of them keeps a connection by its role's name, though nobody asks it for anything. Edges do not
 * count: they only serve, and hear of everything that is put back.
 */
export async function findRunningServers(db: Db): Promise<RunningServers | null> {
  const { rows } = await sql<{ role: string; address: string | null }>`
    select distinct substr(application_name, 7) as role, host(client_addr) as address from pg_stat_activity
    where datname = current_database() and application_name in ('lilac api', 'lilac worker')
    order by 1, 2`.execute(db);
  if (rows.length === 0) return null;
  const addresses = rows.flatMap(({ address }) => address ?? []);
  return { roles: [...new Set(rows.map(({ role }) => role))], addresses: [...new Set(addresses)] };
}
