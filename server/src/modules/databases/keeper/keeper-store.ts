import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/pool.ts';
import { tellChange } from '../database-store.ts';
import type { Condition } from './condition.ts';

/** Unless a job has begun to change or delete it meanwhile: then it is the job's to say. */
export async function writeCondition(db: Db | Tx, id: string, { status, error }: Condition): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('databases')
    .set({ status, error, progress: sql<string>`progress + 1`, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', 'in', ['healthy', 'degraded', 'failed'])
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await tellChange(db, id);
}

/** Whether it was otherwise before. */
export async function writeFull(tx: Tx, id: string, isFull: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('databases')
    .set({ is_full: isFull })
    .where('id', '=', id)
    .where('is_full', '<>', isFull)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
