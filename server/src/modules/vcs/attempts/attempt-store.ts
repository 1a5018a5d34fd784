import type { AttemptState, GitProvider } from '@lilac/contract/states';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/pool.ts';
import type { VcsAttemptRow } from '../../../db/schema.ts';

/** Those that a return from the host carries on. */
export const open: readonly AttemptState[] = ['waiting', 'requested'];

export interface AttemptToInsert {
  id: string;
  organisationId: string;
  userId: string;
  provider: GitProvider;
  now: Date;
  expiresAt: Date;
}

export async function insertAttempt(tx: Tx, attempt: AttemptToInsert): Promise<void> {
  await tx
    .insertInto('vcs_attempts')
    .values({
      id: attempt.id,
      organisation_id: attempt.organisationId,
      user_id: attempt.userId,
      provider: attempt.provider,
      changed_at: attempt.now,
      expires_at: attempt.expiresAt,
    })
    .execute();
}

/** Of those that one person began and did not go on with, only the newest stay. */
export async function dropAbandoned(
  tx: Tx,
  {
    organisationId,
    userId,
    provider,
    keep,
  }: Pick<AttemptToInsert, 'organisationId' | 'userId' | 'provider'> & {
    keep: number;
  },
): Promise<void> {
  await tx
    .deleteFrom('vcs_attempts')
    .where('id', 'in', (from) =>
      from
        .selectFrom('vcs_attempts')
        .select('id')
        .where('organisation_id', '=', organisationId)
        .where('user_id', '=', userId)
        .where('provider', '=', provider)
        .where('state', '=', 'waiting')
        .orderBy('id', 'desc')
        .offset(keep),
    )
    .execute();
}

export async function findAttempt(db: Db, id: string): Promise<VcsAttemptRow | null> {
  const found = await db.selectFrom('vcs_attempts').selectAll().where('id', '=', id).executeTakeFirst();
  return found ?? null;
}

/** Null when it is over, was taken up already, or another return is being looked into at this moment. */
export async function holdAttempt(
  db: Db,
  { id, now, until }: { id: string; now: Date; until: Date },
): Promise<VcsAttemptRow | null> {
  const held = await db
    .updateTable('vcs_attempts')
    .set({ held_until: until })
    .where('id', '=', id)
    .where('state', 'in', open)
    .where('expires_at', '>', now)
    .where((is) => is.or([is('held_until', 'is', null), is('held_until', '<=', now)]))
    .returningAll()
    .executeTakeFirst();
  return held ?? null;
}

export async function releaseAttempt(db: Db, id: string): Promise<void> {
  await db.updateTable('vcs_attempts').set({ held_until: null }).where('id', '=', id).execute();
}

/** Which installation a person chose, while the host is still to say who they are. */
export async function noteInstallation(db: Db, id: string, installationId: number): Promise<void> {
  await db.updateTable('vcs_attempts').set({ installation_id: installationId }).where('id', '=', id).execute();
}

export async function lockAttempt(tx: Tx, id: string): Promise<VcsAttemptRow | null> {
  const locked = await tx.selectFrom('vcs_attempts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return locked ?? null;
}

export interface AttemptChange {
  state: AttemptState;
  message: string | null;
  /** Sealed. */
  found?: string | null;
  account_login?: string;
  installation_id?: number | null;
  connection_id?: string;
}

/** Only from the states that are named: false when it is in none of them (any more). */
export async function changeAttempt(
  db: Db,
  { id, from, change, now }: { id: string; from: readonly AttemptState[]; change: AttemptChange; now: Date },
): Promise<boolean> {
  const changed = await db
    .updateTable('vcs_attempts')
    .set({ ...change, held_until: null, changed_at: now, progress: sql<string>`progress + 1` })
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

const MOST_AT_ONCE = 100;

/** In the order of their changes; of very many, the last. */
export async function listChangedAttempts(
  db: Db,
  { organisationId, provider, since }: { organisationId: string; provider: GitProvider; since: Date },
): Promise<VcsAttemptRow[]> {
  const changed = await db
    .selectFrom('vcs_attempts')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('provider', '=', provider)
    .where('changed_at', '>=', since)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_AT_ONCE)
    .execute();
  return changed.toReversed();
}
