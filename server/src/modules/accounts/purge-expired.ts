import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import { deleteEndedWindows } from './attempt-store.ts';
import { deleteDeviceAuthorizations } from './device-authorization-store.ts';
import { deleteExpiredMfaChallenges } from './mfa-challenge-store.ts';
import { deleteExpiredRefreshTokens } from './refresh-token-store.ts';
import { deleteEndedSessions } from './session-store.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Deletes what can no longer be used. Device codes and revoked sessions stay a while, so that a late
 * caller reads that it expired or has ended and not that it never was.
 */
export async function purgeExpired(store: Pick<Store, 'db'>, clock: Clock): Promise<void> {
  const now = clock.now();
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  await deleteEndedSessions(store.db, { expiredBefore: now, revokedBefore: ago(24 * HOUR_MS) });
  await deleteExpiredRefreshTokens(store.db, now);
  await deleteExpiredMfaChallenges(store.db, now);
  await deleteDeviceAuthorizations(store.db, ago(HOUR_MS));
  await deleteEndedWindows(store.db, now);
}
