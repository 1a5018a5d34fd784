const CHALLENGES = '/.well-known/acme-challenge/';

/** Where a certificate authority looks whether a name leads here (RFC 8555, 8.3): by http, at whichever host. */
export function isChallengePath(target: string): boolean {
  return target.startsWith(CHALLENGES);
}
