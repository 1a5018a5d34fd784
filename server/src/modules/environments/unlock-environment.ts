import { Fault, notFound } from '../../lib/fault.ts';
import { verifyPassword } from '../accounts/password.ts';
import { throttleAttempt } from '../accounts/throttle-attempt.ts';
import { findLock } from './environment-store.ts';
import type { EnvironmentsDeps } from './environments-deps.ts';
import { issueUnlockCookie } from './unlock-cookie.ts';

export interface UnlockRequest {
  environmentId: string;
  password: string;
  address: string;
  /** The client came by https. */
  isSecure: boolean;
}

/**
 * The cookie that opens the environment; null where it is open anyway. Anybody may call this and a hash is
 * dear, so wrong guesses are counted before one is made.
 */
export async function unlockEnvironment(
  deps: Pick<EnvironmentsDeps, 'store' | 'clock'>,
  { environmentId, password, address, isSecure }: UnlockRequest,
): Promise<string | null> {
  const lock = await findLock(deps.store.db, environmentId);
  if (!lock) throw notFound('Environment');
  const { passwordHash, key } = lock;
  if (passwordHash === null || key === null) return null;
  await throttleAttempt(deps, { purpose: 'unlock', address, account: environmentId }, async () => {
    if (!(await verifyPassword(passwordHash, password))) throw new Fault('CA012');
  });
  return issueUnlockCookie({ environmentId, lock: { key }, isSecure, now: deps.clock.now() });
}
