import type { SessionCaller } from '../../http/handler.ts';
import { sha256 } from '../../lib/hash.ts';
import type { StoreDeps } from './accounts-deps.ts';
import { findRefreshToken } from './refresh-token-store.ts';
import { REFRESH_GRACE_MS } from './session.ts';

/**
 * Whose browser it is, by the cookie alone: nothing is exchanged and nobody is signed out. One that was
 * exchanged a moment ago still counts, for a page renews it while it opens its streams.
 */
export async function sessionOfRefreshToken(
  { store, clock }: StoreDeps,
  refreshToken: string,
): Promise<SessionCaller | null> {
  const token = await findRefreshToken(store.db, sha256(refreshToken));
  if (!token || token.sessionRevokedAt) return null;
  const now = clock.now().getTime();
  if (token.expiresAt.getTime() <= now) return null;
  if (token.usedAt && now - token.usedAt.getTime() > REFRESH_GRACE_MS) return null;
  return { kind: 'session', userId: token.userId, sessionId: token.sessionId };
}
