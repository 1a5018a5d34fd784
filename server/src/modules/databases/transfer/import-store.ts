import type { Db, Tx } from '../../../db/pool.ts';

export interface ImportUnderWay {
  database_id: string;
  upload_id: string;
  storage_path: string;
  transaction_id: string | null;
  /** Nothing is left to do but to let people in again. */
  is_loaded: boolean;
}

/** In the place of one that was given up. */
export async function insertImport(tx: Tx, entry: Omit<ImportUnderWay, 'transaction_id' | 'is_loaded'>): Promise<void> {
  await tx
    .insertInto('database_imports')
    .values(entry)
    .onConflict((conflict) =>
      conflict.column('database_id').doUpdateSet({ ...entry, transaction_id: null, is_loaded: false }),
    )
    .execute();
}

export async function findImport(db: Db | Tx, databaseId: string): Promise<ImportUnderWay | null> {
  const found = await db
    .selectFrom('database_imports')
    .selectAll()
    .where('database_id', '=', databaseId)
    .executeTakeFirst();
  return found ?? null;
}

export async function noteTransaction(db: Db, databaseId: string, transactionId: string): Promise<void> {
  await db
    .updateTable('database_imports')
    .set({ transaction_id: transactionId })
    .where('database_id', '=', databaseId)
    .execute();
}

export async function noteLoaded(db: Db, databaseId: string): Promise<void> {
  await db.updateTable('database_imports').set({ is_loaded: true }).where('database_id', '=', databaseId).execute();
}

/** How the last one ended, apart from what is said of the database; null: it is under way. */
export async function noteOutcome(
  tx: Tx,
  databaseId: string,
  outcome: { uploadId: string; error: string | null } | null,
): Promise<void> {
  await tx
    .updateTable('databases')
    .set({ last_import_upload: outcome?.uploadId ?? null, last_import_error: outcome?.error ?? null })
    .where('id', '=', databaseId)
    .execute();
}

export async function deleteImport(tx: Tx, databaseId: string): Promise<void> {
  await tx.deleteFrom('database_imports').where('database_id', '=', databaseId).execute();
}
