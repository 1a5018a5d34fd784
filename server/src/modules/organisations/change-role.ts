import type { Role } from '@lilac/contract/permissions';
import type { Db } from '../../db/pool.ts';
import type { Caller } from '../../http/handler.ts';
import { notFound } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { assertAnotherOwner } from './assert-another-owner.ts';
import { findMember, updateRole, type MemberRow, type Membership } from './membership-store.ts';
import { lockOrganisation } from './organisation-store.ts';

export interface RoleChange extends Membership {
  role: Role;
  caller: Caller;
}

export function changeRole(db: Db, { caller, ...change }: RoleChange): Promise<MemberRow> {
  return db.transaction().execute(async (tx) => {
    await lockOrganisation(tx, change.organisationId);
    const member = await findMember(tx, change);
    if (!member) throw notFound('Member');
    if (member.role === change.role) return member;
    if (member.role === 'owner') await assertAnotherOwner(tx, change);
    await updateRole(tx, change);
    const { organisationId } = change;
    await recordActivity(tx, { organisationId, subject: member.email, action: 'member_role_updated', caller });
    return { ...member, role: change.role };
  });
}
