import type { Plan } from '@lilac/contract/plans';
import type { Db } from '../../db/pool.ts';
import type { OrganisationRow } from '../../db/schema.ts';
import type { Action, Doer } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { lockOrganisation, updateOrganisation } from './organisation-store.ts';

export interface OrganisationChange {
  organisationId: string;
  change: { name: string } | { plan: Plan };
  caller: Doer;
}

/** What is so already leaves no trace. Null when it was deleted meanwhile. */
export function changeOrganisation(
  db: Db,
  { organisationId, change, caller }: OrganisationChange,
): Promise<OrganisationRow | null> {
  return db.transaction().execute(async (tx) => {
    const before = await lockOrganisation(tx, organisationId);
    const isSame = before && ('name' in change ? before.name === change.name : before.plan === change.plan);
    if (!before || isSame) return before;
    const after = await updateOrganisation(tx, organisationId, change);
    const action: Action = 'name' in change ? 'organisation_renamed' : 'plan_updated';
    await recordActivity(tx, { organisationId, subject: after.name, action, caller });
    return after;
  });
}
