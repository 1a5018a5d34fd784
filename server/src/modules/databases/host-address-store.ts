import type { Db, Tx } from '../../db/pool.ts';

/** Where instances reach the databases, as the worker that keeps them has written it; null: none has. */
export async function readHostAddress(db: Db | Tx): Promise<string | null> {
  const row = await db.selectFrom('leaderships').select('address').where('name', '=', 'databases').executeTakeFirst();
  return row?.address ?? null;
}

/** False where it was that already. */
export async function writeHostAddress(tx: Tx, address: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('leaderships')
    .set({ address })
    .where('name', '=', 'databases')
    .where((where) => where.or([where('address', 'is', null), where('address', '<>', address)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
