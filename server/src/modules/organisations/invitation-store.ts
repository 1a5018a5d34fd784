import type { Role } from '@lilac/contract/permissions';
import { sql, type Kysely } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { Database, InvitationRow } from '../../db/schema.ts';

export interface InvitationToInsert {
  id: string;
  organisation_id: string;
  email: string;
  role: Role;
  token_hash: Buffer;
  invited_by: string;
  expires_at: Date;
}

export interface InvitationDescription {
  organisation: string;
  email: string;
  role: Role;
  hasAccount: boolean;
}

/** Open: not accepted, not withdrawn, not expired. */
export async function findOpenInvitation(db: Db, tokenHash: Buffer, now: Date): Promise<InvitationRow | null> {
  const found = await selectOpen(db, now).selectAll('i').where('i.token_hash', '=', tokenHash).executeTakeFirst();
  return found ?? null;
}

/** The same, for a person whose address it was sent to. */
export async function findOpenInvitationFor(
  db: Db,
  { tokenHash, userId, now }: { tokenHash: Buffer; userId: string; now: Date },
): Promise<InvitationRow | null> {
  const found = await selectOpen(db, now)
    .innerJoin('users as u', (join) => join.on(sql`lower(u.email)`, '=', sql`lower(i.email)`))
    .selectAll('i')
    .where('i.token_hash', '=', tokenHash)
    .where('u.id', '=', userId)
    .executeTakeFirst();
  return found ?? null;
}

export async function describeOpenInvitation(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<InvitationDescription | null> {
  const found = await selectOpen(db, now)
    .innerJoin('organisations as o', 'o.id', 'i.organisation_id')
    .leftJoin('users as u', (join) => join.on(sql`lower(u.email)`, '=', sql`lower(i.email)`))
    .select(['o.name as organisation', 'i.email', 'i.role', sql<boolean>`u.id is not null`.as('hasAccount')])
    .where('i.token_hash', '=', tokenHash)
    .executeTakeFirst();
  return found ?? null;
}

export function listOpenInvitations(db: Db, organisationId: string, now: Date): Promise<InvitationRow[]> {
  return selectOpen(db, now)
    .selectAll('i')
    .where('i.organisation_id', '=', organisationId)
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id', 'desc')
    .execute();
}

export function insertInvitation(tx: Tx, invitation: InvitationToInsert): Promise<InvitationRow> {
  return tx.insertInto('invitations').values(invitation).returningAll().executeTakeFirstOrThrow();
}

/** Withdraws what this address was sent before, expired ones too: an address has one open link at most. */
export async function revokeInvitationsOf(
  tx: Tx,
  { organisationId, email, now }: { organisationId: string; email: string; now: Date },
): Promise<void> {
  await revokeUnanswered(tx, now)
    .where('organisation_id', '=', organisationId)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .execute();
}

/** Whose it was; null when there is no such invitation, or it was answered or withdrawn already. */
export async function revokeInvitation(
  tx: Tx,
  { organisationId, invitationId, now }: { organisationId: string; invitationId: string; now: Date },
): Promise<string | null> {
  const revoked = await revokeUnanswered(tx, now)
    .where('organisation_id', '=', organisationId)
    .where('id', '=', invitationId)
    .returning('email')
    .executeTakeFirst();
  return revoked?.email ?? null;
}

/** True for exactly one of those who try at the same time. */
export async function markAccepted(tx: Tx, invitationId: string): Promise<boolean> {
  const accepted = await tx
    .updateTable('invitations')
    .set({ accepted_at: sql<Date>`now()` })
    .where('id', '=', invitationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return accepted !== undefined;
}

function selectOpen(db: Kysely<Database>, now: Date) {
  return db
    .selectFrom('invitations as i')
    .where('i.accepted_at', 'is', null)
    .where('i.revoked_at', 'is', null)
    .where('i.expires_at', '>', now);
}

function revokeUnanswered(db: Kysely<Database>, now: Date) {
  return db
    .updateTable('invitations')
    .set({ revoked_at: now })
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null);
}
