import type { Db } from '../../../db/pool.ts';
import type { DatabaseRow, DatabaseServerRow } from '../../../db/schema.ts';
import { findDatabase } from '../database-store.ts';
import { serversOf } from '../server-store.ts';

/** A database with its servers, as the rows say. */
export interface Pair {
  database: DatabaseRow;
  primary: DatabaseServerRow;
  standby: DatabaseServerRow | null;
}

/** Null when it is gone, or has no server. */
export async function readPair(db: Db, databaseId: string): Promise<Pair | null> {
  const [database, servers] = await Promise.all([findDatabase(db, databaseId), serversOf(db, databaseId)]);
  return database && pairOf(database, servers);
}

export function pairOf(database: DatabaseRow, servers: readonly DatabaseServerRow[]): Pair | null {
  const primary = servers.find(({ role }) => role === 'primary');
  const standby = servers.find(({ role }) => role === 'standby') ?? null;
  return primary ? { database, primary, standby } : null;
}
