import type { Db } from '../../db/pool.ts';

/** Any edge answers, of whichever machine: they are in the store. */
export async function saveChallenge(
  db: Db,
  { token, answer, expiresAt }: { token: string; answer: string; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('acme_challenges')
    .values({ token, answer, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('token').doUpdateSet({ answer, expires_at: expiresAt }))
    .execute();
}

export async function findChallengeAnswer(db: Db, token: string): Promise<string | null> {
  const found = await db.selectFrom('acme_challenges').select('answer').where('token', '=', token).executeTakeFirst();
  return found?.answer ?? null;
}

export async function deleteChallenges(db: Db, tokens: readonly string[]): Promise<void> {
  if (tokens.length === 0) return;
  await db.deleteFrom('acme_challenges').where('token', 'in', tokens).execute();
}

/** Those that were left behind. */
export async function deleteChallengesBefore(db: Db, time: Date): Promise<void> {
  await db.deleteFrom('acme_challenges').where('expires_at', '<', time).execute();
}
