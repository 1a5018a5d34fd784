import type { GitProvider } from '@lilac/contract/states';
import { sql } from 'kysely';
import type { Db } from '../../../db/pool.ts';

export interface SealedSettings {
  provider: GitProvider;
  settings: string;
}

export async function listSealedSettings(db: Db): Promise<SealedSettings[]> {
  return await db.selectFrom('vcs_hosts').select(['provider', 'settings']).execute();
}

/** In place of what there was. */
export async function storeSealedSettings(db: Db, { provider, settings }: SealedSettings): Promise<void> {
  await db
    .insertInto('vcs_hosts')
    .values({ provider, settings })
    .onConflict((conflict) => conflict.column('provider').doUpdateSet({ settings, updated_at: sql`now()` }))
    .execute();
}

/** False when there were none. */
export async function deleteSettings(db: Db, provider: GitProvider): Promise<boolean> {
  const deleted = await db.deleteFrom('vcs_hosts').where('provider', '=', provider).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}
