import type { EnvironmentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { conflict } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { holdApplication } from '../applications/hold-application.ts';
import { holdEnvironment } from '../environments/hold-environment.ts';
import { letEdgesFollow, UNTIL_ALL_FOLLOWED } from '../environments/let-edges-follow.ts';
import { assignDomain, holdLoser } from './assign-domain.ts';
import { clearName } from './clear-name.ts';
import type { DomainsDeps } from './domains-deps.ts';
import { publishRoutes } from './publish-routes.ts';

export interface DomainRequest {
  environment: EnvironmentRow;
  hostname: string;
  caller: Caller;
  /** Whatever domain it has goes; otherwise it must have none. */
  replaces: boolean;
}

/** What it had before has stopped when this returns. The one it has already changes nothing. */
export async function giveDomain(
  deps: DomainsDeps,
  { environment, hostname, caller, replaces }: DomainRequest,
): Promise<void> {
  const { id: environmentId, application_id: applicationId, organisation_id: organisationId, subdomain } = environment;
  const { db } = deps.store;
  if (environment.custom_domain === hostname) return;
  const name = await clearName(deps, { organisationId, hostname, subdomain });
  const version = await db.transaction().execute(async (tx) => {
    await holdApplication(tx, applicationId);
    await holdLoser(tx, { environmentId, name });
    const before = await holdEnvironment(tx, environmentId);
    if (before.custom_domain === hostname) return null;
    if (before.custom_domain !== null && !replaces) {
      throw conflict(
        `This environment has the domain ${before.custom_domain}, and can have one only. Replace it by update-domain.`,
      );
    }
    const { routes } = await assignDomain(tx, { environment: before, name });
    const action = 'custom_domain_updated';
    await recordActivity(tx, { organisationId, applicationId, environmentId, action, detail: hostname, caller });
    return publishRoutes(tx, routes);
  });
  await letEdgesFollow(db, version, UNTIL_ALL_FOLLOWED);
}
