import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../db/pool.ts';
import type { ApplicationRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { conflict, invalid } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { findProduction, updateEnvironment } from '../environments/environment-store.ts';
import { enqueueHooks } from '../vcs/hooks/job-kinds.ts';
import { updateApplication, type PushColumn } from './application-store.ts';
import { holdApplication } from './hold-application.ts';
import { readPushSettings, type GivenPush } from './push-settings.ts';

export interface PushUpdate {
  application: ApplicationRow;
  given: GivenPush;
  caller: Caller;
}

/** Production follows the switch of its application; what is so already leaves no trace. */
export async function updatePushSettings(db: Db, { application, given, caller }: PushUpdate): Promise<ApplicationRow> {
  const columns = readPushSettings(given);
  if (Object.keys(columns).length === 0) {
    throw invalid('Give at least one of autoDeployOnPush, autoDeployBranches and autoDeleteStaleEnvs.');
  }
  return db.transaction().execute(async (tx) => {
    const before = await holdApplication(tx, application.id);
    if (before.source_type !== 'vcs') {
      throw conflict('This application is deployed from archives: there is no repository to push to.');
    }
    const { id: applicationId, organisation_id: organisationId } = before;
    const isOnPush = columns.auto_deploy_on_push;
    const isSwitched = isOnPush !== undefined && isOnPush !== before.auto_deploy_on_push;
    const production = await findProduction(tx, applicationId);
    const follows =
      (isSwitched || given.autoDeployOnPush !== undefined) &&
      production !== null &&
      production.auto_deploy !== isOnPush;
    const isSame = (Object.keys(columns) as PushColumn[]).every((name) =>
      isDeepStrictEqual(columns[name], before[name]),
    );
    if (isSame && !follows) return before;
    const after = await updateApplication(tx, applicationId, columns);
    if (follows) await updateEnvironment(tx, production.id, { auto_deploy: isOnPush! });
    await recordActivity(tx, {
      organisationId,
      applicationId,
      environmentId: production?.id,
      action: 'application_updated',
      caller,
    });
    await enqueueHooks(tx, { applicationId });
    return after;
  });
}
