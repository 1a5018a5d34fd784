import type { RefreshCookies } from '../../http/handler.ts';
import { sha256 } from '../../lib/hash.ts';
import type { StoreDeps } from './accounts-deps.ts';
import { findRefreshToken } from './refresh-token-store.ts';

/** Each costs a query; what lies behind so many was put there to be in the way. */
const MAX_LOOKED_AT = 32;

/**
 * The token among a browser's cookies that the person signed in with. Where an application below our domain can set
 * such a cookie, it could sign people in to its maker's account: there only that of the session which the page
 * remembers counts, for a page's memory is closed to other hosts.
 */
export async function ownRefreshToken({ store }: StoreDeps, cookies: RefreshCookies): Promise<string | null> {
  const { tokens, canBePlanted, sessionId } = cookies;
  if (!canBePlanted) return tokens[0] ?? null;
  if (sessionId === null) return null;
  // Browsers send those of the longest path first, and ours is for every path.
  for (const token of tokens.slice(-MAX_LOOKED_AT).toReversed()) {
    const known = await findRefreshToken(store.db, sha256(token));
    if (known?.sessionId === sessionId) return token;
  }
  return null;
}
