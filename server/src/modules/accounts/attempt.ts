import { isIPv6 } from 'node:net';

/** Guessing one thing is counted apart from guessing another. */
export type AttemptPurpose = 'login' | 'mfa' | 'password' | 'device' | 'unlock' | 'vcs-setup';

export const MAX_FAILURES = 10;
export const FAILURE_WINDOW_MS = 15 * 60 * 1000;

export interface Attempt {
  purpose: AttemptPurpose;
  address: string;
  /** Whose secret is being guessed: an address for sign-in, a user id once that is known, an environment's id. */
  account: string;
}

export interface Buckets {
  /** Emptied by a success. */
  account: string;
  /** Null where guesses at one thing say nothing of guesses at another. */
  address: string | null;
}

/** The counters an attempt is counted in. In this order they are locked, so no two attempts wait in a circle. */
export function bucketsOf({ purpose, address, account }: Attempt): Buckets {
  // Many people share the password of an environment, and an operator's link has no account: nobody may shut the
  // others out by guessing.
  if (purpose === 'unlock' || purpose === 'vcs-setup') {
    return { account: `${purpose}:${networkOf(address)}:${account}`, address: null };
  }
  return {
    account: `${purpose}:account:${account.toLowerCase()}`,
    address: `${purpose}:address:${networkOf(address)}`,
  };
}

export function retryAfterSeconds(windowEndsAt: Date, now: Date): number {
  return Math.max(1, Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1000));
}

/** One customer holds a whole IPv6 /64, so its addresses count as one; an IPv4 address stands for itself. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIPv6(plain) ? `${firstGroups(plain, 4).join(':')}::/64` : plain;
}

function firstGroups(address: string, count: number): string[] {
  const [head = '', tail] = address.split('::');
  const before = head ? head.split(':') : [];
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after];
  return groups.slice(0, count).map((group) => Number.parseInt(group, 16).toString(16));
}
