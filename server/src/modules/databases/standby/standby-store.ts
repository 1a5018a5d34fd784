import type { Db, Tx } from '../../../db/pool.ts';

/** Of all standbys of the database: there is one at most. */
export async function setInStep(db: Db | Tx, databaseId: string, isInStep: boolean): Promise<void> {
  await db
    .updateTable('database_servers')
    .set({ in_step: isInStep })
    .where('database_id', '=', databaseId)
    .where('role', '=', 'standby')
    .execute();
}

/** What there is of it is not to be trusted: it is made anew. */
export async function markUnmade(db: Db | Tx, id: string): Promise<void> {
  await db.updateTable('database_servers').set({ is_made: false, in_step: false }).where('id', '=', id).execute();
}
