import type { RouteLock } from '../../routing/route.ts';
import { UNLOCK_COOKIE, unlockMac } from '../../routing/unlock-mac.ts';

const LIFE_SECONDS = 7 * 24 * 3600;

export interface Unlocking {
  environmentId: string;
  lock: RouteLock;
  /** The client came by https, and is to show it by https only. */
  isSecure: boolean;
  now: Date;
}

/** Opens one environment, for a week, on the host that passes it on. No script can read it. */
export function issueUnlockCookie({ environmentId, lock, isSecure, now }: Unlocking): string {
  const expiry = Math.floor(now.getTime() / 1000) + LIFE_SECONDS;
  const value = `${expiry}.${unlockMac(lock, environmentId, expiry)}`;
  const secure = isSecure ? '; Secure' : '';
  return `${UNLOCK_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${LIFE_SECONDS}${secure}`;
}
