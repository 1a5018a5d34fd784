import type { Db } from '../../../db/pool.ts';

export interface SetupLink {
  token_hash: Buffer;
  expires_at: Date;
}

/** Replaces the link there was. */
export async function storeSetupLink(db: Db, link: SetupLink): Promise<void> {
  await db
    .insertInto('vcs_setup_link')
    .values(link)
    .onConflict((conflict) => conflict.column('singleton').doUpdateSet(link))
    .execute();
}

export async function findSetupLink(db: Db): Promise<SetupLink | undefined> {
  return await db.selectFrom('vcs_setup_link').select(['token_hash', 'expires_at']).executeTakeFirst();
}
