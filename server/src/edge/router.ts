import { isIP } from 'node:net';

/** Whose request it is, by the host it names. */
export type Route = { kind: 'platform' } | { kind: 'app'; name: string } | { kind: 'unknown' };

export interface RouterOptions {
  /** The public URL's host name. */
  platformHost: string;
  appsDomain: string;
}

export function createRouter({ platformHost, appsDomain }: RouterOptions): (host: string | undefined) => Route {
  const own = new Set([hostNameOf(platformHost), 'localhost']);
  const appsSuffix = `.${appsDomain}`;
  return (host) => {
    const name = host === undefined ? null : hostNameOf(host);
    if (name === null) return { kind: 'unknown' };
    if (own.has(name) || isAddress(name)) return { kind: 'platform' };
    const isApp = name.endsWith(appsSuffix) && name.length > appsSuffix.length;
    return isApp ? { kind: 'app', name: name.slice(0, -appsSuffix.length) } : { kind: 'unknown' };
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
