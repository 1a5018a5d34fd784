import type { StoreDeps } from './accounts-deps.ts';
import { confirmPassword, type Person } from './confirm-person.ts';
import { refuseObvious } from './obvious-password.ts';
import { hashPassword } from './password.ts';
import { replacePassword } from './replace-password.ts';

/** Whoever else knows the old password is out: other sessions end, and so does every sign-in under way. */
export async function changePassword(
  deps: StoreDeps,
  person: Person,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  const user = await confirmPassword(deps, person, currentPassword);
  refuseObvious(newPassword, { email: user.email, field: 'newPassword' });
  const hash = await hashPassword(newPassword);
  await deps.store.db
    .transaction()
    .execute((tx) => replacePassword(tx, { user, hash, keptSessionId: person.sessionId, now: deps.clock.now() }));
}
