/** How long a refresh token, and with it the session, lives without being used. */
export const SESSION_MS = 30 * 24 * 60 * 60 * 1000;

/** How long a second use of a refresh token is taken for another tab or a lost answer, not for theft. */
export const REFRESH_GRACE_MS = 10_000;

export type RevocationReason = 'signed out' | 'revoked' | 'refresh token reused' | 'password changed';

/** What is known of a refresh token that the store did not exchange. */
export interface RefusedRefreshToken {
  usedAt: Date | null;
  usedWithKey: Buffer | null;
  sessionRevokedAt: Date | null;
}

export type RefusedRefreshOutcome =
  /** Expired, or of a session that is over. */
  | 'dead'
  /** The same call again, its answer lost: another pair is due. */
  | 'retry'
  /** A second use so soon after the first that two tabs are likelier than theft. */
  | 'simultaneous'
  /** Somebody holds a copy. */
  | 'stolen';

export function judgeRefusedRefresh(
  token: RefusedRefreshToken,
  { now, idempotencyKeyHash }: { now: Date; idempotencyKeyHash: Buffer | null },
): RefusedRefreshOutcome {
  if (token.sessionRevokedAt || !token.usedAt) return 'dead';
  const sinceUseMs = now.getTime() - token.usedAt.getTime();
  if (sinceUseMs > REFRESH_GRACE_MS) return 'stolen';
  const isSameCall = idempotencyKeyHash !== null && token.usedWithKey?.equals(idempotencyKeyHash) === true;
  return isSameCall ? 'retry' : 'simultaneous';
}

export function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + SESSION_MS);
}
