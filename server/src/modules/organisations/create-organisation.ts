import { randomBytes } from 'node:crypto';
import type { Plan } from '@lilac/contract/plans';
import type { Tx } from '../../db/pool.ts';
import type { OrganisationRow } from '../../db/schema.ts';
import { newId } from '../../lib/ids.ts';
import type { Doer } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { insertMembership } from './membership-store.ts';
import { insertOrganisation } from './organisation-store.ts';
import { slugOf } from './organisation.ts';

export interface OrganisationToCreate {
  name: string;
  plan: Plan;
  ownerId: string;
  /** Who does it; the owner where nobody is named. */
  caller?: Doer;
}

/** An organisation is never without an owner, so it begins with one. */
export async function createOrganisation(
  tx: Tx,
  { name, plan, ownerId, caller = { kind: 'session', userId: ownerId } }: OrganisationToCreate,
): Promise<OrganisationRow> {
  const trimmed = name.trim();
  const base = slugOf(trimmed);
  for (let slug = base; ; slug = `${base}-${randomBytes(3).toString('hex')}`) {
    const organisation = await insertOrganisation(tx, { id: newId('org'), name: trimmed, slug, plan });
    if (!organisation) continue;
    const organisationId = organisation.id;
    await insertMembership(tx, { organisationId, userId: ownerId, role: 'owner' });
    await recordActivity(tx, { organisationId, subject: trimmed, action: 'organisation_created', caller });
    return organisation;
  }
}
