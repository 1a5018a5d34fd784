import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { RefusedRefreshToken } from './session.ts';

export interface Rotation {
  tokenHash: Buffer;
  successorHash: Buffer;
  idempotencyKeyHash: Buffer | null;
  address: string | null;
  now: Date;
  expiresAt: Date;
}

export interface RotatedSession {
  sessionId: string;
  userId: string;
}

/**
 * Marks the token used and stores its successor, in one statement: of any number of callers with one
 * token exactly one gets a row back. The session lives as long as its newest token.
 */
export function rotateRefreshToken(db: Db, rotation: Rotation): Promise<RotatedSession | undefined> {
  const { tokenHash, successorHash, idempotencyKeyHash, address, now, expiresAt } = rotation;
  return db
    .with('used', (with_) =>
      with_
        .updateTable('refresh_tokens as t')
        .from('sessions as s')
        .set({ used_at: now, used_with_key: idempotencyKeyHash, successor_hash: successorHash })
        .whereRef('s.id', '=', 't.session_id')
        .where('t.token_hash', '=', tokenHash)
        .where('t.used_at', 'is', null)
        .where('t.expires_at', '>', now)
        .where('s.revoked_at', 'is', null)
        .returning('t.session_id'),
    )
    .with('issued', (with_) =>
      with_
        .insertInto('refresh_tokens')
        .columns(['token_hash', 'session_id', 'created_at', 'expires_at'])
        .expression(
          with_
            .selectFrom('used')
            .select([
              sql<Buffer>`${successorHash}::bytea`.as('token_hash'),
              'used.session_id',
              sql<Date>`${now}::timestamptz`.as('created_at'),
              sql<Date>`${expiresAt}::timestamptz`.as('expires_at'),
            ]),
        ),
    )
    .updateTable('sessions')
    .from('used')
    .set({ last_used_at: now, expires_at: expiresAt, address })
    .whereRef('sessions.id', '=', 'used.session_id')
    .returning(['sessions.id as sessionId', 'sessions.user_id as userId'])
    .executeTakeFirst();
}

export interface KnownRefreshToken extends RefusedRefreshToken {
  sessionId: string;
  userId: string;
  successorHash: Buffer | null;
  expiresAt: Date;
}

export function findRefreshToken(db: Db, tokenHash: Buffer): Promise<KnownRefreshToken | undefined> {
  return selectToken(db, tokenHash).executeTakeFirst();
}

/** Two retries of one call wait for each other here. */
export function lockRefreshToken(tx: Tx, tokenHash: Buffer): Promise<KnownRefreshToken | undefined> {
  return selectToken(tx, tokenHash).forUpdate('t').executeTakeFirst();
}

/** Puts another token in place of a successor that nobody has used. False when somebody has. */
export async function replaceSuccessor(
  tx: Tx,
  token: { tokenHash: Buffer; successorHash: Buffer; replacementHash: Buffer },
): Promise<boolean> {
  const replaced = await tx
    .updateTable('refresh_tokens')
    .set({ token_hash: token.replacementHash })
    .where('token_hash', '=', token.successorHash)
    .where('used_at', 'is', null)
    .returning('token_hash')
    .executeTakeFirst();
  if (!replaced) return false;
  await tx
    .updateTable('refresh_tokens')
    .set({ successor_hash: token.replacementHash })
    .where('token_hash', '=', token.tokenHash)
    .execute();
  return true;
}

export async function deleteExpiredRefreshTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('refresh_tokens').where('expires_at', '<=', now).execute();
}

function selectToken(db: Db, tokenHash: Buffer) {
  return db
    .selectFrom('refresh_tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .select([
      't.session_id as sessionId',
      's.user_id as userId',
      't.used_at as usedAt',
      't.used_with_key as usedWithKey',
      't.successor_hash as successorHash',
      't.expires_at as expiresAt',
      's.revoked_at as sessionRevokedAt',
    ])
    .where('t.token_hash', '=', tokenHash);
}
