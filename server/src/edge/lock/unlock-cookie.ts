import { isSameText } from '../../lib/same-text.ts';
import { UNLOCK_COOKIE, unlockMac } from '../../routing/unlock-mac.ts';
import type { RouteLock } from '../../routing/route.ts';

export interface LockedRoute {
  environmentId: string;
  lock: RouteLock;
}

const COOKIE = new RegExp(`(?:^|;)[ \\t]*${UNLOCK_COOKIE}=([^;]*)`, 'g');
const VALUE = /^(\d{1,12})\.([\w-]{43})$/;
/** A browser sends one, or one more of an older path; each costs a signature. */
const MAX_COOKIES = 4;

/**
 * Whether these cookies open the address. The cookie is passed on to instances with all others: it opens
 * nothing but the environment whose instance reads it, and to take it out would cost every request.
 */
export function isOpenedBy(cookies: string, { environmentId, lock }: LockedRoute, now: Date): boolean {
  if (cookies === '') return false;
  const values = [...cookies.matchAll(COOKIE)].slice(0, MAX_COOKIES);
  return values.some(([, value = '']) => {
    const [, expiry, mac] = VALUE.exec(value.trim()) ?? [];
    if (expiry === undefined || mac === undefined) return false;
    const isInTime = Number(expiry) * 1000 > now.getTime();
    return isSameText(mac, unlockMac(lock, environmentId, Number(expiry))) && isInTime;
  });
}
