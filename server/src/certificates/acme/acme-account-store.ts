import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { AcmeAccountsTable } from '../../db/schema.ts';

export type AcmeAccountRow = Selectable<AcmeAccountsTable>;

export async function findAccount(db: Db, directoryUrl: string): Promise<AcmeAccountRow | null> {
  const found = await db
    .selectFrom('acme_accounts')
    .selectAll()
    .where('directory_url', '=', directoryUrl)
    .executeTakeFirst();
  return found ?? null;
}

/** Of several who make one at the same time, the first has made it. */
export async function insertAccount(
  db: Db,
  { id, directoryUrl, sealedKey }: { id: string; directoryUrl: string; sealedKey: string },
): Promise<void> {
  await db
    .insertInto('acme_accounts')
    .values({ id, directory_url: directoryUrl, account_key: sealedKey })
    .onConflict((conflict) => conflict.column('directory_url').doNothing())
    .execute();
}

export async function setAccountUrl(db: Db, id: string, accountUrl: string): Promise<void> {
  await db.updateTable('acme_accounts').set({ account_url: accountUrl }).where('id', '=', id).execute();
}

/** Nothing is ordered before. Of several who are told a time, the last one counts. */
export async function pauseAccount(db: Db, directoryUrl: string, until: Date): Promise<void> {
  await db
    .updateTable('acme_accounts')
    .set({ paused_until: sql`greatest(paused_until, ${until}::timestamptz)` })
    .where('directory_url', '=', directoryUrl)
    .execute();
}

/** Until when nothing is ordered; null: nobody has asked for that. */
export async function findPause(db: Db | Tx, directoryUrl: string, now: Date): Promise<Date | null> {
  const found = await db
    .selectFrom('acme_accounts')
    .select('paused_until')
    .where('directory_url', '=', directoryUrl)
    .where('paused_until', '>', now)
    .executeTakeFirst();
  return found?.paused_until ?? null;
}

export async function endPause(tx: Tx, directoryUrl: string): Promise<void> {
  await tx.updateTable('acme_accounts').set({ paused_until: null }).where('directory_url', '=', directoryUrl).execute();
}
