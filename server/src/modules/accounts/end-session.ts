import { notFound } from '../../lib/fault.ts';
import { sha256 } from '../../lib/hash.ts';
import type { StoreDeps } from './accounts-deps.ts';
import { denyUnclaimedDevices } from './device-authorization-store.ts';
import { findRefreshToken } from './refresh-token-store.ts';
import { isSessionOf, revokeSession } from './session-store.ts';

/** Signs out whoever holds the token. An unknown one is no failure: the holder is signed out already. */
export async function signOut({ store, clock }: StoreDeps, refreshToken: string | null): Promise<void> {
  const token = refreshToken ? await findRefreshToken(store.db, sha256(refreshToken)) : undefined;
  if (token) await revokeSession(store.db, token.sessionId, { because: 'signed out', now: clock.now() });
}

/** Signs out one of a person's own connected devices. */
export async function endSession(
  { store, clock }: StoreDeps,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  if (!(await isSessionOf(store.db, userId, sessionId))) throw notFound('Session');
  await store.db.transaction().execute(async (tx) => {
    await revokeSession(tx, sessionId, { because: 'revoked', now: clock.now() });
    // It may have approved a device that has not fetched its tokens yet.
    await denyUnclaimedDevices(tx, userId);
  });
}
