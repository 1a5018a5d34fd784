/**
 * The way to the first host and back: the browser posts the manifest there, and the host sends it back with a code. The
 * set-up token is kept by a cookie meanwhile, which the platform opens by the state; that also shows that this browser
 * began, since anybody can make an address with a code of their own.
 */
export type Arrival =
  | { kind: 'link'; setupToken: string }
  /** From the host, as it sends people: without the token. */
  | { kind: 'returned'; state: string; code: string }
  /** The same with the token again, so that the address can be loaded again until the code is used up. */
  | { kind: 'resumed'; setupToken: string; code: string }
  /** With a code, but not on a journey of this browser. */
  | { kind: 'foreign' }
  | { kind: 'incomplete' };

export function readArrival({ search, hash }: Pick<Location, 'search' | 'hash'>): Arrival {
  const query = new URLSearchParams(search);
  const [code, state] = [query.get('code'), query.get('state')];
  const setupToken = hash.replace(/^#/, '');
  if (code && setupToken) return { kind: 'resumed', setupToken, code };
  if (code) return state ? { kind: 'returned', state, code } : { kind: 'foreign' };
  return setupToken ? { kind: 'link', setupToken } : { kind: 'incomplete' };
}

interface Destination {
  hostUrl: string;
  manifestUrl: string;
  /** The organisation there that shall own the app; empty: the person. */
  account: string;
  state: string;
}

export function addressOfManifest({ hostUrl, manifestUrl, account, state }: Destination): string {
  const url = new URL(
    account ? `${hostUrl}/organizations/${encodeURIComponent(account)}/settings/apps/new` : manifestUrl,
  );
  url.searchParams.set('state', state);
  return url.href;
}
