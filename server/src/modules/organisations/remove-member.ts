import type { Db } from '../../db/pool.ts';
import { Fault, notFound } from '../../lib/fault.ts';
import { assertAnotherOwner } from './assert-another-owner.ts';
import { deleteMembership, findMember, type Membership } from './membership-store.ts';
import { lockOrganisation } from './organisation-store.ts';
import { canRemoveMember, type Actor } from './organisation.ts';

export async function removeMember(db: Db, membership: Membership, actor: Actor): Promise<void> {
  if (!canRemoveMember(actor, membership.userId)) {
    throw new Fault('CA005', 'Only an owner may remove somebody else from the organisation.');
  }
  await db.transaction().execute(async (tx) => {
    await lockOrganisation(tx, membership.organisationId);
    const member = await findMember(tx, membership);
    if (!member) throw notFound('Member');
    if (member.role === 'owner') await assertAnotherOwner(tx, membership);
    await deleteMembership(tx, membership);
  });
}
