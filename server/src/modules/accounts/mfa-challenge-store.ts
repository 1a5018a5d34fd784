import type { Db, Tx } from '../../db/pool.ts';

export interface MfaChallenge {
  tokenHash: Buffer;
  userId: string;
  expiresAt: Date;
}

export async function insertMfaChallenge(db: Db, challenge: MfaChallenge): Promise<void> {
  await db
    .insertInto('mfa_challenges')
    .values({ token_hash: challenge.tokenHash, user_id: challenge.userId, expires_at: challenge.expiresAt })
    .execute();
}

/** Who waits for a second factor, while the challenge is open. */
export async function findMfaChallenge(db: Db, tokenHash: Buffer, now: Date): Promise<string | null> {
  const found = await db
    .selectFrom('mfa_challenges')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return found?.user_id ?? null;
}

/** True for exactly one of those who try at the same time. */
export async function consumeMfaChallenge(tx: Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const consumed = await tx
    .updateTable('mfa_challenges')
    .set({ consumed_at: now })
    .where('token_hash', '=', tokenHash)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('token_hash')
    .executeTakeFirst();
  return consumed !== undefined;
}

export async function deleteMfaChallengesOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('mfa_challenges').where('user_id', '=', userId).execute();
}

export async function deleteExpiredMfaChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('mfa_challenges').where('expires_at', '<=', now).execute();
}
