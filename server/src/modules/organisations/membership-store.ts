import type { Role } from '@lilac/contract/permissions';
import type { Db, Tx } from '../../db/pool.ts';

export interface MemberRow {
  user_id: string;
  email: string;
  first_name: string;
  role: Role;
  created_at: Date;
}

export interface Membership {
  organisationId: string;
  userId: string;
}

/** False for somebody who is a member already: they keep the role they have. */
export async function insertMembership(
  tx: Tx,
  { organisationId, userId, role }: Membership & { role: Role },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('memberships')
    .values({ organisation_id: organisationId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['user_id', 'organisation_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export function listMembers(db: Db, organisationId: string): Promise<MemberRow[]> {
  return selectMembers(db, organisationId).orderBy('m.created_at').orderBy('m.user_id').execute();
}

export async function findMember(db: Db, { organisationId, userId }: Membership): Promise<MemberRow | null> {
  const found = await selectMembers(db, organisationId).where('m.user_id', '=', userId).executeTakeFirst();
  return found ?? null;
}

export async function hasMemberWithEmail(
  db: Db,
  { organisationId, email }: { organisationId: string; email: string },
): Promise<boolean> {
  const found = await selectMembers(db, organisationId)
    .where((is) => is(is.fn('lower', ['u.email']), '=', is.fn<string>('lower', [is.val(email)])))
    .executeTakeFirst();
  return found !== undefined;
}

export async function hasOtherOwner(tx: Tx, { organisationId, userId }: Membership): Promise<boolean> {
  const other = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('organisation_id', '=', organisationId)
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

export async function updateRole(tx: Tx, { organisationId, userId, role }: Membership & { role: Role }): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role })
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteMembership(tx: Tx, { organisationId, userId }: Membership): Promise<void> {
  await tx
    .deleteFrom('memberships')
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .execute();
}

function selectMembers(db: Db, organisationId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.email', 'u.first_name', 'm.role', 'm.created_at'])
    .where('m.organisation_id', '=', organisationId);
}
