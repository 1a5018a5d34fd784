import type { Role } from '@lilac/contract/permissions';
import type { Db } from '../../db/pool.ts';
import { notFound } from '../../lib/fault.ts';
import { assertAnotherOwner } from './assert-another-owner.ts';
import { findMember, updateRole, type MemberRow, type Membership } from './membership-store.ts';
import { lockOrganisation } from './organisation-store.ts';

export function changeRole(db: Db, change: Membership & { role: Role }): Promise<MemberRow> {
  return db.transaction().execute(async (tx) => {
    await lockOrganisation(tx, change.organisationId);
    const member = await findMember(tx, change);
    if (!member) throw notFound('Member');
    if (member.role === 'owner' && change.role !== 'owner') await assertAnotherOwner(tx, change);
    await updateRole(tx, change);
    return { ...member, role: change.role };
  });
}
