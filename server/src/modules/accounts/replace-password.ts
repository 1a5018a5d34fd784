import type { Tx } from '../../db/pool.ts';
import type { UserRow } from '../../db/schema.ts';
import { conflict } from '../../lib/fault.ts';
import { denyUnclaimedDevices } from './device-authorization-store.ts';
import { deleteMfaChallengesOf } from './mfa-challenge-store.ts';
import { revokeOtherSessions } from './session-store.ts';
import { replacePasswordHash } from './user-store.ts';

export interface PasswordReplacement {
  /** As it was when it was decided: a change that came between wins. */
  user: Pick<UserRow, 'id' | 'password_hash'>;
  hash: string;
  /** Of the person who does it; null: nobody stays signed in. */
  keptSessionId: string | null;
  now: Date;
}

/** Whoever came in by the old password is out, and so is every sign-in under way. */
export async function replacePassword(tx: Tx, { user, hash, keptSessionId, now }: PasswordReplacement): Promise<void> {
  // Challenges before the account, as finishing a sign-in locks them: so the two never wait in a circle.
  await deleteMfaChallengesOf(tx, user.id);
  if (!(await replacePasswordHash(tx, { userId: user.id, from: user.password_hash, to: hash }))) {
    throw conflict('The password was changed by another request at the same moment.');
  }
  await revokeOtherSessions(tx, { userId: user.id, keptSessionId }, { because: 'password changed', now });
  await denyUnclaimedDevices(tx, user.id);
}
