import type { Config } from '../config.ts';

const LIFE_SECONDS = 30 * 24 * 3600;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

export interface RefreshCookie {
  name: string;
  read(header: string | undefined): string | null;
  issue(token: string): string;
  clear(): string;
}

/**
 * The cookie that holds a browser's refresh token. `__Host-` and `Secure` wherever browsers accept
 * them: on https, and on the machine itself. On plain http across a network they would drop it.
 */
export function refreshCookieFor({ publicUrl }: Pick<Config, 'publicUrl'>): RefreshCookie {
  const isSecure = publicUrl.protocol === 'https:' || LOCAL_HOSTS.includes(publicUrl.hostname);
  const name = isSecure ? '__Host-lc_rt' : 'lc_rt';
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return {
    name,
    read: (header) => readCookie(header, name),
    issue: (token) => `${name}=${token}; Max-Age=${LIFE_SECONDS}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim() || null;
  }
  return null;
}
