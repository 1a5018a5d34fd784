import type { Db, Tx } from '../../db/pool.ts';
import type { SessionKind, SessionRow } from '../../db/schema.ts';
import type { RevocationReason } from './session.ts';

export interface NewSession {
  id: string;
  userId: string;
  kind: SessionKind;
  device: string;
  address: string | null;
  refreshTokenHash: Buffer;
  now: Date;
  expiresAt: Date;
}

/** The session and its first refresh token, in one statement. */
export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db
    .with('opened', (with_) =>
      with_.insertInto('sessions').values({
        id: session.id,
        user_id: session.userId,
        kind: session.kind,
        device: session.device,
        address: session.address,
        created_at: session.now,
        last_used_at: session.now,
        expires_at: session.expiresAt,
      }),
    )
    .insertInto('refresh_tokens')
    .values({
      token_hash: session.refreshTokenHash,
      session_id: session.id,
      created_at: session.now,
      expires_at: session.expiresAt,
    })
    .execute();
}

/** Enough for a page of connected devices; who has more sees the latest. */
const MAX_LISTED = 200;

export function listSessions(db: Db, userId: string, now: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

export interface Revocation {
  because: RevocationReason;
  now: Date;
}

export async function revokeSession(db: Db, sessionId: string, revocation: Revocation): Promise<void> {
  await revoking(db, revocation).where('id', '=', sessionId).execute();
}

/** Every session of the user but one; all of them where none is kept. */
export async function revokeOtherSessions(
  db: Db,
  { userId, keptSessionId }: { userId: string; keptSessionId: string | null },
  revocation: Revocation,
): Promise<void> {
  const all = revoking(db, revocation).where('user_id', '=', userId);
  await (keptSessionId === null ? all : all.where('id', '!=', keptSessionId)).execute();
}

export async function isSessionOf(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * True when the session has not ended, and it cannot end before this transaction does: whoever ends it
 * meanwhile waits, and then sees what was done with it.
 */
export async function holdLiveSession(
  tx: Tx,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
): Promise<boolean> {
  const held = await tx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .forShare()
    .executeTakeFirst();
  return held !== undefined;
}

/** Deletes ended sessions, and their refresh tokens with them. */
export async function deleteEndedSessions(
  db: Db,
  { expiredBefore, revokedBefore }: { expiredBefore: Date; revokedBefore: Date },
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<=', expiredBefore), where('revoked_at', '<=', revokedBefore)]))
    .execute();
}

function revoking(db: Db, { because, now }: Revocation) {
  return db.updateTable('sessions').set({ revoked_at: now, revoked_because: because }).where('revoked_at', 'is', null);
}
