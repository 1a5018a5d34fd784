import type { Db } from '../../db/pool.ts';
import type { SessionCaller } from '../../http/handler.ts';
import { Fault, notFound } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { unlinkMember } from '../vcs/connections/unlink-member.ts';
import { assertAnotherOwner } from './assert-another-owner.ts';
import { deleteMembership, findMember, type Membership } from './membership-store.ts';
import { lockOrganisation } from './organisation-store.ts';
import { canRemoveMember, type Actor } from './organisation.ts';

export interface Removal extends Membership {
  caller: SessionCaller;
  /** The caller's. */
  role: Actor['role'];
}

export async function removeMember(db: Db, { caller, role, ...membership }: Removal): Promise<void> {
  const { organisationId, userId } = membership;
  if (!canRemoveMember({ userId: caller.userId, role }, userId)) {
    throw new Fault('CA005', 'Only an owner may remove somebody else from the organisation.');
  }
  await db.transaction().execute(async (tx) => {
    await lockOrganisation(tx, organisationId);
    const member = await findMember(tx, membership);
    if (!member) throw notFound('Member');
    if (member.role === 'owner') await assertAnotherOwner(tx, membership);
    await unlinkMember(tx, { ...membership, caller });
    await deleteMembership(tx, membership);
    const action = caller.userId === userId ? 'member_left' : 'member_removed';
    await recordActivity(tx, { organisationId, subject: member.email, action, caller });
  });
}
