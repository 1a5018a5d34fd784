import type { EnvironmentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { conflict } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { holdApplication } from '../applications/hold-application.ts';
import { holdEnvironment } from '../environments/hold-environment.ts';
import { letEdgesFollow, UNTIL_ALL_FOLLOWED } from '../environments/let-edges-follow.ts';
import { assignDomain } from './assign-domain.ts';
import type { DomainsDeps } from './domains-deps.ts';
import { publishRoutes } from './publish-routes.ts';

export interface RemovalRequest {
  environment: EnvironmentRow;
  caller: Caller;
  /** False: the generated name stops too. */
  revertsToSubdomain: boolean;
}

const nothingToRemove = () =>
  conflict('This environment has no domain of its own: its generated address is its only one, and cannot be removed.');

/** No edge serves it any more when this returns. Asked for again, it changes nothing. */
export async function removeDomain(
  { store: { db } }: Pick<DomainsDeps, 'store'>,
  { environment, caller, revertsToSubdomain }: RemovalRequest,
): Promise<void> {
  const { id: environmentId, application_id: applicationId, organisation_id: organisationId } = environment;
  const version = await db.transaction().execute(async (tx) => {
    await holdApplication(tx, applicationId);
    const before = await holdEnvironment(tx, environmentId);
    if (before.custom_domain === null && !before.hides_subdomain && !revertsToSubdomain) throw nothingToRemove();
    const assignment = { environment: before, name: null, hidesSubdomain: !revertsToSubdomain };
    const { environment: after, routes } = await assignDomain(tx, assignment);
    if (after === before) return null;
    const deed = { action: 'custom_domain_removed', caller } as const;
    // There may be none: then only the generated address is switched on or off.
    const detail = before.custom_domain === null ? {} : { detail: before.custom_domain };
    await recordActivity(tx, { organisationId, applicationId, environmentId, ...deed, ...detail });
    return publishRoutes(tx, routes);
  });
  await letEdgesFollow(db, version, UNTIL_ALL_FOLLOWED);
}
