import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';

/** Replaces the link there was. False once there is an account. */
export async function storeSetupToken(db: Db, tokenHash: Buffer): Promise<boolean> {
  const stored = await db
    .insertInto('setup_link')
    .columns(['token_hash'])
    .expression(
      sql<{ token_hash: Buffer }>`select ${tokenHash}::bytea as token_hash where not exists (select from users)`,
    )
    .onConflict((conflict) =>
      conflict.column('singleton').doUpdateSet({ token_hash: tokenHash, created_at: sql`now()` }),
    )
    .returning('singleton')
    .executeTakeFirst();
  return stored !== undefined;
}

export async function isSetupToken(db: Db, tokenHash: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('setup_link')
    .select('singleton')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return found !== undefined;
}

/** True for exactly one of those who try at the same time. */
export async function consumeSetupToken(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const consumed = await tx
    .deleteFrom('setup_link')
    .where('token_hash', '=', tokenHash)
    .returning('singleton')
    .executeTakeFirst();
  return consumed !== undefined;
}
