const CHALLENGES = '/.well-known/acme-challenge/';

/**
 * Where a certificate authority looks whether a name leads here (RFC 8555, 8.3): by http, at whichever host. It is
 * never an application's to answer: whoever answers there gets a certificate, with a key of its own, for a name that
 * may be another's tomorrow.
 */
export function isChallengePath(target: string): boolean {
  return target.startsWith(CHALLENGES);
}
