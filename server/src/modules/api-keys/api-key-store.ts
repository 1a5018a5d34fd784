import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { ApiKeyRow, ApiKeysTable } from '../../db/schema.ts';

export function insertApiKey(tx: Tx, key: Insertable<ApiKeysTable>): Promise<ApiKeyRow> {
  return tx.insertInto('api_keys').values(key).returningAll().executeTakeFirstOrThrow();
}

export function listApiKeys(db: Db, organisationId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Null when the organisation has no such key. */
export async function lockApiKey(
  tx: Tx,
  { organisationId, keyId }: { organisationId: string; keyId: string },
): Promise<ApiKeyRow | null> {
  const locked = await tx
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .where('organisation_id', '=', organisationId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked ?? null;
}

export async function markRevoked(tx: Tx, keyId: string, now: Date): Promise<void> {
  await tx.updateTable('api_keys').set({ revoked_at: now }).where('id', '=', keyId).execute();
}

/** Other processes may have seen a later use. Rows are taken in order, so that two batches never deadlock. */
export async function writeLastUsed(db: Db, uses: readonly (readonly [keyId: string, at: Date])[]): Promise<void> {
  const ids = uses.map(([keyId]) => keyId);
  const times = uses.map(([, at]) => at.toISOString());
  await sql`
    update api_keys set last_used_at = greatest(api_keys.last_used_at, used.at)
    from (
      select k.id, u.at
      from unnest(${ids}::text[], ${times}::timestamptz[]) as u (id, at)
      join api_keys k on k.id = u.id
      order by k.id
      for no key update of k
    ) used
    where api_keys.id = used.id
  `.execute(db);
}
