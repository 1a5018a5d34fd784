import { newToken } from '../../../lib/hash.ts';
import { isSameText } from '../../../lib/same-text.ts';

/**
 * The way to the first host and back. Meanwhile the token of the link is in no page, so the browser that began keeps it
 * in a cookie, where no script finds it. The state goes to the host and comes back, and opens that cookie alone: anybody
 * can make an address with a code of their own, and a cookie can be planted on plain http.
 */
interface Journey {
  state: string;
  /** What the cookie holds. The state is of letters, digits, `-` and `_`, so the first full stop ends it. */
  kept: string;
}

export function beginJourney(setupToken: string): Journey {
  const state = newToken();
  return { state, kept: `${state}.${setupToken}` };
}

/** The token of the link, by what a browser holds; null where it did not begin what comes back. */
export function tokenOfJourney(cookies: readonly string[], state: string): string | null {
  for (const kept of cookies) {
    const end = kept.indexOf('.');
    if (end > 0 && isSameText(kept.slice(0, end), state)) return kept.slice(end + 1) || null;
  }
  return null;
}
