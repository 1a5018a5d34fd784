import type { EnvironmentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { publishRoute } from '../../routing/route-store.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { holdApplication } from '../applications/hold-application.ts';
import { updateEnvironment } from './environment-store.ts';
import type { EnvironmentsDeps } from './environments-deps.ts';
import { holdEnvironment } from './hold-environment.ts';
import { letEdgesFollow } from './let-edges-follow.ts';

export interface ToggleRequest {
  environment: Pick<EnvironmentRow, 'id' | 'application_id'>;
  caller: Caller;
  enabled: boolean;
}

/** The edges hear of it with the commit, and write the lines. Nothing is built or restarted for it. */
export async function toggleAccessLog(
  { store: { db } }: Pick<EnvironmentsDeps, 'store'>,
  { environment: { id, application_id: applicationId }, caller, enabled }: ToggleRequest,
): Promise<EnvironmentRow> {
  const { after, version } = await db.transaction().execute(async (tx) => {
    await holdApplication(tx, applicationId);
    const before = await holdEnvironment(tx, id);
    if (before.access_log === enabled) return { after: before, version: null };
    const changed = await updateEnvironment(tx, id, { access_log: enabled });
    const { organisation_id: organisationId, subdomain } = changed;
    const action = enabled ? 'access_log_enabled' : 'access_log_disabled';
    await recordActivity(tx, { organisationId, applicationId, environmentId: id, action, caller });
    return { after: changed, version: await publishRoute(tx, { environmentId: id, subdomain, accessLog: enabled }) };
  });
  await letEdgesFollow(db, version);
  return after;
}
