import type { Db } from '../db/pool.ts';
import { readApis } from './api-store.ts';
import { hostOfApi } from './edge-names.ts';

/** Who keeps the databases: this host, or one whose api is there, or (`nowhere`) one whose api nobody can reach. */
export type Keeper = { kind: 'here' } | { kind: 'nowhere'; host: string } | ReachedKeeper;

export interface ReachedKeeper {
  kind: 'there';
  host: string;
  at: { host: string; port: number };
}

/** Nobody has ever kept them: then whoever asks is as good as any other. */
export async function findKeeper(db: Db, ownHost: () => string): Promise<Keeper> {
  const row = await db.selectFrom('leaderships').select('host').where('name', '=', 'databases').executeTakeFirst();
  if (!row?.host || row.host === ownHost()) return { kind: 'here' };
  const apis = await readApis(db);
  const found = apis.find(({ name, isOverdue }) => !isOverdue && hostOfApi(name) === row.host);
  if (!found) return { kind: 'nowhere', host: row.host };
  return { kind: 'there', host: row.host, at: { host: found.host, port: found.port } };
}
