import type { Db } from '../../db/pool.ts';
import type { AcmeAccountsTable } from '../../db/schema.ts';
import type { Selectable } from 'kysely';

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

/** Nothing is asked of the authority before. */
export async function pauseAccount(db: Db, directoryUrl: string, until: Date): Promise<void> {
  await db
    .updateTable('acme_accounts')
    .set({ paused_until: until })
    .where('directory_url', '=', directoryUrl)
    .execute();
}
