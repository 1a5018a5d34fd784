import { isIP } from 'node:net';
import type { Config } from '../config.ts';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

export interface OwnCookie {
  /** Every value that the browser holds under the name, in the order it sent them. */
  read(header: string | undefined): string[];
  issue(value: string): string;
  clear(): string;
  /** Whether a page of another host, such as an application below our domain, can have set one. */
  canBePlanted: boolean;
}

/** Chooses by the origin that the browser knows this server as. */
type ChooseCookie = (ownOrigin: string) => OwnCookie;

/** What browsers keep for us out of reach of every script, and send from our own pages only. */
export interface OwnCookies {
  /** A refresh token. */
  refresh: ChooseCookie;
  /**
   * What the operator's page needs again when the first repository host sends its browser back: one for each way there,
   * by its state, since the tabs of a browser share them all.
   */
  journey: (ownOrigin: string, state: string) => OwnCookie;
}

export function createOwnCookies(config: Pick<Config, 'publicUrl'>): OwnCookies {
  return {
    refresh: cookieFor(config, { label: 'lc_rt', lifeSeconds: 30 * 24 * 3600 }),
    // Long enough to be signed in at the host and to create the app there; a journey that is given up leaves it.
    journey: (ownOrigin, state) =>
      cookieFor(config, { label: 'lc_vcs_setup', part: state, lifeSeconds: 15 * 60 })(ownOrigin),
  };
}

interface Kind {
  label: string;
  /** Tells those of one label apart. */
  part?: string;
  lifeSeconds: number;
}

/**
 * `__Host-` and `Secure` wherever browsers accept them: on https, and on the machine itself. On plain http across a
 * network they would drop it.
 */
function cookieFor({ publicUrl }: Pick<Config, 'publicUrl'>, { label, part, lifeSeconds }: Kind): ChooseCookie {
  return (ownOrigin) => {
    const own = URL.parse(ownOrigin) ?? publicUrl;
    // A proxy that nobody declared may end TLS in front of us; the public address then says so.
    const isHttps = own.protocol === 'https:' || (own.host === publicUrl.host && publicUrl.protocol === 'https:');
    const isSecure = isHttps || LOCAL_HOSTS.includes(own.hostname);
    // Cookies know no ports: another platform on the same machine would overwrite ours.
    const name = `${isSecure ? '__Host-' : ''}${label}${own.port && `_${own.port}`}${part ? `.${part}` : ''}`;
    const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
    return { ...cookieOf({ name, attributes, lifeSeconds }), canBePlanted: !isSecure && hasNeighbours(own.hostname) };
  };
}

/** Browsers take no cookie for a domain of one label, nor for an address, except from its own host. */
function hasNeighbours(hostname: string): boolean {
  return hostname.includes('.') && isIP(hostname) === 0;
}

interface Form {
  name: string;
  attributes: string;
  lifeSeconds: number;
}

function cookieOf({ name, attributes, lifeSeconds }: Form): Omit<OwnCookie, 'canBePlanted'> {
  return {
    read: (header) => readCookies(header, name),
    issue: (value) => `${name}=${value}; Max-Age=${lifeSeconds}; ${attributes}`,
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
