import { createHmac } from 'node:crypto';
import type { Config } from '../../config.ts';

export const UNLOCK_COOKIE = 'lilac_unlock';
const LIFE_SECONDS = 7 * 24 * 3600;

export interface Unlocking {
  config: Pick<Config, 'publicUrl'>;
  environmentId: string;
  /** The route's: edges check with it, alone. */
  key: string;
  now: Date;
}

/** Opens one environment, for a week, on the host that passes it on. No script can read it. */
export function issueUnlockCookie({ config, environmentId, key, now }: Unlocking): string {
  const expiry = Math.floor(now.getTime() / 1000) + LIFE_SECONDS;
  const mac = createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(`${environmentId}.${expiry}`)
    .digest('base64url');
  const secure = config.publicUrl.protocol === 'https:' ? '; Secure' : '';
  return `${UNLOCK_COOKIE}=${expiry}.${mac}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${LIFE_SECONDS}${secure}`;
}
