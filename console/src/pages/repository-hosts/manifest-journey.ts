/**
 * The way to the first host and back: the browser posts the manifest there, and the host sends it back with a code. The
 * set-up token stands in no address of ours meanwhile, so it is kept in the tab; the state shows that this tab began,
 * since anybody can make an address with a code of their own.
 */
interface Journey {
  setupToken: string;
  state: string;
}

export type Arrival =
  | { kind: 'link'; setupToken: string }
  | { kind: 'returned'; setupToken: string; code: string }
  /** With a code, but not on a journey of this tab. */
  | { kind: 'foreign' }
  | { kind: 'incomplete' };

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEPT = 'lilac:repository-hosts';

export function beginJourney(storage: Storage, journey: Journey): void {
  storage.setItem(KEPT, JSON.stringify(journey));
}

export function endJourney(storage: Storage): void {
  storage.removeItem(KEPT);
}

export function readArrival({ search, hash }: Pick<Location, 'search' | 'hash'>, storage: Storage): Arrival {
  const query = new URLSearchParams(search);
  const code = query.get('code');
  if (code) {
    const journey = readJourney(storage);
    return journey && journey.state === query.get('state')
      ? { kind: 'returned', setupToken: journey.setupToken, code }
      : { kind: 'foreign' };
  }
  const setupToken = hash.replace(/^#/, '');
  return setupToken ? { kind: 'link', setupToken } : { kind: 'incomplete' };
}

function readJourney(storage: Storage): Journey | null {
  const kept = storage.getItem(KEPT);
  return kept === null ? null : (JSON.parse(kept) as Journey);
}

/** Random, and available on plain http too. */
export function newState(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
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
