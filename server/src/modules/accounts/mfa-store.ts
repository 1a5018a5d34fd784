import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';

/** Replaces a secret that was never confirmed. False once one is in force. */
export async function storePendingTotpSecret(db: Db, userId: string, sealedSecret: string): Promise<boolean> {
  const stored = await db
    .updateTable('users')
    .set({ totp_secret: sealedSecret, totp_last_step: null, updated_at: sql`now()` })
    .where('id', '=', userId)
    .where('totp_enabled_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Puts the pending secret in force, if it is still the one whose code was checked. */
export async function enableTotp(
  tx: Tx,
  { userId, sealedSecret, now }: { userId: string; sealedSecret: string; now: Date },
): Promise<boolean> {
  const enabled = await tx
    .updateTable('users')
    .set({ totp_enabled_at: now, updated_at: sql`now()` })
    .where('id', '=', userId)
    .where('totp_secret', '=', sealedSecret)
    .where('totp_enabled_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return enabled !== undefined;
}

export async function removeTotp(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ totp_secret: null, totp_enabled_at: null, totp_last_step: null, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute();
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** False when a code of this step or a later one was accepted before: a code works once. */
export async function spendTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const spent = await db
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('id', '=', userId)
    .where((where) => where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', String(step))]))
    .returning('id')
    .executeTakeFirst();
  return spent !== undefined;
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, codeHashes: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(codeHashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

export async function spendRecoveryCode(
  db: Db,
  { userId, codeHash, now }: { userId: string; codeHash: Buffer; now: Date },
): Promise<boolean> {
  const spent = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return spent !== undefined;
}
