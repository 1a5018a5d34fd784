import { isIP } from 'node:net';
import type { Config } from '../config.ts';

const LIFE_SECONDS = 30 * 24 * 3600;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

export interface RefreshCookie {
  /** Every value that the browser holds under the name, in the order it sent them. */
  read(header: string | undefined): string[];
  issue(token: string): string;
  clear(): string;
  /** Whether a page of another host, such as an application below our domain, can have set one. */
  canBePlanted: boolean;
}

/** Chooses by the origin that the browser knows this server as. */
export type ChooseRefreshCookie = (ownOrigin: string) => RefreshCookie;

/**
 * The cookie that holds a browser's refresh token. `__Host-` and `Secure` wherever browsers accept
 * them: on https, and on the machine itself. On plain http across a network they would drop it.
 */
export function refreshCookieFor({ publicUrl }: Pick<Config, 'publicUrl'>): ChooseRefreshCookie {
  return (ownOrigin) => {
    const own = URL.parse(ownOrigin) ?? publicUrl;
    // A proxy that nobody declared may end TLS in front of us; the public address then says so.
    const isHttps = own.protocol === 'https:' || (own.host === publicUrl.host && publicUrl.protocol === 'https:');
    const isSecure = isHttps || LOCAL_HOSTS.includes(own.hostname);
    // Cookies know no ports: another platform on the same machine would overwrite ours.
    const name = `${isSecure ? '__Host-' : ''}lc_rt${own.port && `_${own.port}`}`;
    const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
    return { ...cookieOf(name, attributes), canBePlanted: !isSecure && hasNeighbours(own.hostname) };
  };
}

/** Browsers take no cookie for a domain of one label, nor for an address, except from its own host. */
function hasNeighbours(hostname: string): boolean {
  return hostname.includes('.') && isIP(hostname) === 0;
}

function cookieOf(name: string, attributes: string): Omit<RefreshCookie, 'canBePlanted'> {
  return {
    read: (header) => readCookies(header, name),
    issue: (token) => `${name}=${token}; Max-Age=${LIFE_SECONDS}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

function readCookies(header: string | undefined, name: string): string[] {
  const values: string[] = [];
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals <= 0 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    if (value) values.push(value);
  }
  return values;
}
