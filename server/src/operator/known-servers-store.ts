import type { Db } from '../db/pool.ts';
import type { ServerRole } from '../db/schema.ts';

export interface KnownServer {
  serverId: string;
  role: ServerRole;
  name: string;
  organisation: string;
}

/** Whose the servers of databases are, by the names that people know. */
export function listKnownServers(db: Db): Promise<KnownServer[]> {
  return db
    .selectFrom('database_servers as s')
    .innerJoin('databases as d', 'd.id', 's.database_id')
    .innerJoin('organisations as o', 'o.id', 'd.organisation_id')
    .select(['s.id as serverId', 's.role', 'd.name', 'o.name as organisation'])
    .execute();
}
