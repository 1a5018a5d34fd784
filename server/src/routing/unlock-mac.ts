import { createHmac } from 'node:crypto';
import type { RouteLock } from './route.ts';

/** The cookie, on the environment's own host, that opens it: `<expiry>.<mac>`. */
export const UNLOCK_COOKIE = 'lilac_unlock';

/** What only who knows the key can write: that whoever shows it may come in until then. Base64url. */
export function unlockMac({ key }: RouteLock, environmentId: string, expirySeconds: number): string {
  return createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(`${environmentId}.${expirySeconds}`)
    .digest('base64url');
}
