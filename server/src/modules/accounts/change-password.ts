import { conflict } from '../../lib/fault.ts';
import type { StoreDeps } from './accounts-deps.ts';
import { confirmPassword, type Person } from './confirm-person.ts';
import { denyUnclaimedDevices } from './device-authorization-store.ts';
import { deleteMfaChallengesOf } from './mfa-challenge-store.ts';
import { hashPassword } from './password.ts';
import { revokeOtherSessions } from './session-store.ts';
import { replacePasswordHash } from './user-store.ts';

/** Whoever else knows the old password is out: other sessions end, and so does every sign-in under way. */
export async function changePassword(
  deps: StoreDeps,
  person: Person,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  const { userId, sessionId } = person;
  const user = await confirmPassword(deps, person, currentPassword);
  const to = await hashPassword(newPassword);
  await deps.store.db.transaction().execute(async (tx) => {
    // Challenges before the account, as finishing a sign-in locks them: so the two never wait in a circle.
    await deleteMfaChallengesOf(tx, userId);
    if (!(await replacePasswordHash(tx, { userId, from: user.password_hash, to }))) {
      throw conflict('The password was changed by another request at the same moment.');
    }
    await revokeOtherSessions(
      tx,
      { userId, keptSessionId: sessionId },
      { because: 'password changed', now: deps.clock.now() },
    );
    await denyUnclaimedDevices(tx, userId);
  });
}
