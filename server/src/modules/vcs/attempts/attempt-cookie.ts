import { isIP } from 'node:net';
import type { GitProvider } from '@lilac/contract/states';
import type { Config } from '../../../config.ts';

/** How long a person may take at the host. */
export const ATTEMPT_SECONDS = 3600;

interface CookiePlace {
  config: Pick<Config, 'publicUrl'>;
  provider: GitProvider;
  /** Each has its own: the tabs of a browser share them all. */
  attemptId: string;
}

/**
 * Shows that a browser that comes back from a host is the one that began. `Lax`, since it comes from another site.
 * Applications may run below the platform's own domain, and could set cookies for it: by `__Host-` browsers refuse
 * that. On plain http they know no such thing: see `isOurs`.
 */
export function issueAttemptCookie(place: CookiePlace, proof: string): string {
  return cookie(place, { value: proof, seconds: ATTEMPT_SECONDS });
}

export function clearAttemptCookie(place: CookiePlace): string {
  return cookie(place, { value: '', seconds: 0 });
}

/** Of a `Cookie` header. Null also where it would prove nothing: then the person is asked. */
export function readAttemptCookie(place: CookiePlace, header: string | undefined): string | null {
  if (!isOurs(place)) return null;
  const name = nameAt(place);
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim() || null;
  }
  return null;
}

function cookie(place: CookiePlace, { value, seconds }: { value: string; seconds: number }): string {
  const secure = isHttps(place) ? '; Secure' : '';
  return `${nameAt(place)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

function nameAt(place: CookiePlace): string {
  return `${isHttps(place) ? '__Host-' : ''}lc_vcs_${place.provider}.${place.attemptId}`;
}

/**
 * Whether nobody else can have set it. Without `__Host-` whoever is below the same domain can; but browsers take no
 * cookie for a whole domain of one label, such as `localhost`, nor for an address, except from its own host.
 */
function isOurs(place: CookiePlace): boolean {
  const { hostname } = place.config.publicUrl;
  return isHttps(place) || !hostname.includes('.') || isIP(hostname) !== 0;
}

const isHttps = ({ config }: CookiePlace) => config.publicUrl.protocol === 'https:';
