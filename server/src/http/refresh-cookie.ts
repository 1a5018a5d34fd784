import type { Config } from '../config.ts';

const LIFE_SECONDS = 30 * 24 * 3600;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

export interface RefreshCookie {
  read(header: string | undefined): string | null;
  issue(token: string): string;
  clear(): string;
}

/** Chooses by the origin that the browser knows this server as. */
export type ChooseRefreshCookie = (ownOrigin: string) => RefreshCookie;

/**
 * The cookie that holds a browser's refresh token. `__Host-` and `Secure` wherever browsers accept
 * them: on https, and on the machine itself. On plain http across a network they would drop it.
 */
export function refreshCookieFor({ publicUrl }: Pick<Config, 'publicUrl'>): ChooseRefreshCookie {
  const secure = cookieOf('__Host-lc_rt', 'Path=/; HttpOnly; SameSite=Strict; Secure');
  const plain = cookieOf('lc_rt', 'Path=/; HttpOnly; SameSite=Strict');
  return (ownOrigin) => {
    const own = URL.parse(ownOrigin) ?? publicUrl;
    // A proxy that nobody declared may end TLS in front of us; the public address then says so.
    const isHttps = own.protocol === 'https:' || (own.host === publicUrl.host && publicUrl.protocol === 'https:');
    return isHttps || LOCAL_HOSTS.includes(own.hostname) ? secure : plain;
  };
}

function cookieOf(name: string, attributes: string): RefreshCookie {
  return {
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
