import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import { deleteEndedWindows } from './attempt-store.ts';
import { deleteDeviceAuthorizations } from './device-authorization-store.ts';
import { deleteExpiredMfaChallenges } from './mfa-challenge-store.ts';
import { deleteExpiredRefreshTokens } from './refresh-token-store.ts';
import { deleteEndedSessions } from './session-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes what can no longer be used. Device codes and ended sessions stay for another day, so that
 * a late caller reads that it expired or was revoked and not that it never was.
 */
export async function purgeExpired(store: Pick<Store, 'db'>, clock: Clock): Promise<void> {
  const now = clock.now();
  const aDayAgo = new Date(now.getTime() - DAY_MS);
  await deleteEndedSessions(store.db, { expiredBefore: now, revokedBefore: aDayAgo });
  await deleteExpiredRefreshTokens(store.db, now);
  await deleteExpiredMfaChallenges(store.db, now);
  await deleteDeviceAuthorizations(store.db, aDayAgo);
  await deleteEndedWindows(store.db, now);
}
