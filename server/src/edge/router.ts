import { isIP } from 'node:net';
import { keyOfDomain } from './address-key.ts';

/**
 * Whose request it is, by the host it names. An app's name is its address key; whether there is such an app is not
 * known here.
 */
export type Route = { kind: 'platform' } | { kind: 'app'; name: string } | { kind: 'unknown' };

export interface RouterOptions {
  /** The public URL's host name. */
  platformHost: string;
  appsDomain: string;
}

const MAX_NAME_LENGTH = 253;

export function createRouter({ platformHost, appsDomain }: RouterOptions): (host: string | undefined) => Route {
  const own = new Set([hostNameOf(platformHost), 'localhost']);
  const appsSuffix = `.${appsDomain}`;
  return (host) => {
    const name = host === undefined ? null : hostNameOf(host);
    if (name === null) return { kind: 'unknown' };
    if (own.has(name) || isAddress(name)) return { kind: 'platform' };
    const isApp = name.endsWith(appsSuffix) && name.length > appsSuffix.length;
    if (isApp) return { kind: 'app', name: name.slice(0, -appsSuffix.length) };
    const mayBeDomain = name !== appsDomain && isDomain(name);
    return mayBeDomain ? { kind: 'app', name: keyOfDomain(name) } : { kind: 'unknown' };
  };
}

/** The name of a Host header without its port, in lower case; null when it is none. */
export function hostNameOf(host: string): string | null {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host);
  return match?.[1]?.toLowerCase().replace(/\.$/, '') ?? null;
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/** At least two labels; names below `localhost` are nobody's. */
function isDomain(name: string): boolean {
  const isWhole = /^[^.[]+(?:\.[^.]+)+$/.test(name);
  return isWhole && name.length <= MAX_NAME_LENGTH && !name.endsWith('.localhost');
}
