import type { UserRow } from '../../db/schema.ts';
import { Fault, invalid } from '../../lib/fault.ts';
import type { MfaDeps, StoreDeps } from './accounts-deps.ts';
import { checkSecondFactor } from './check-second-factor.ts';
import { verifyPassword } from './password.ts';
import { sayWrongCode } from './say-wrong-code.ts';
import { throttleAttempt } from './throttle-attempt.ts';
import { findUser } from './user-store.ts';

/** A signed-in person and where they call from. */
export interface Person {
  userId: string;
  sessionId: string;
  address: string;
}

/** The row of whoever the access token names, who may have been deleted since. */
export async function loadUser({ store }: Pick<StoreDeps, 'store'>, userId: string): Promise<UserRow> {
  const user = await findUser(store.db, userId);
  if (!user) throw new Fault('CA002', 'This account no longer exists.');
  return user;
}

/** An open browser is not the person: what changes how to sign in asks for the password again. */
export async function confirmPassword(
  deps: StoreDeps,
  { userId, address }: Person,
  currentPassword: string,
): Promise<UserRow> {
  const user = await loadUser(deps, userId);
  return await throttleAttempt(deps, { purpose: 'password', address, account: userId }, async () => {
    // Not 401: the session is fine, and clients answer a 401 by refreshing it.
    if (!(await verifyPassword(user.password_hash, currentPassword))) throw invalid('The current password is wrong.');
    return user;
  });
}

/** The same for the second factor. */
export async function confirmSecondFactor(deps: MfaDeps, { userId, address }: Person, code: string): Promise<UserRow> {
  const user = await loadUser(deps, userId);
  if (!user.totp_enabled_at) throw new Fault('CF001', 'No second factor is set up.');
  return await throttleAttempt(deps, { purpose: 'mfa', address, account: userId }, async () => {
    if (!(await checkSecondFactor(deps, { user, code }))) throw invalid(sayWrongCode(code));
    return user;
  });
}
