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

const HOW_TO_TURN_ON =
  'autoDeployBranches does nothing while autoDeployOnPush is off, and does not turn it on, since production would ' +
  'follow its branch too: give both, with autoDeployOnPush: true. For branches without production, then switch off ' +
  'the one of its environment (environments/update with autoDeploy: false).';

/**
 * Production follows the switch of its application when that is given; what is so already leaves no trace. Nothing is
 * turned on that was not asked for: branches alone change branches alone.
 */
export async function updatePushSettings(db: Db, { application, given, caller }: PushUpdate): Promise<ApplicationRow> {
  const { auto_deploy_on_push: implied, ...others } = readPushSettings(given);
  const isOnPush = given.autoDeployOnPush;
  const columns = { ...others, ...(isOnPush !== undefined && { auto_deploy_on_push: isOnPush }) };
  if (Object.keys(columns).length === 0) {
    throw invalid('Give at least one of autoDeployOnPush, autoDeployBranches and autoDeleteStaleEnvs, or vcsRepoUrl.');
  }
  return db.transaction().execute(async (tx) => {
    const before = await holdApplication(tx, application.id);
    if (before.source_type !== 'vcs') {
      throw conflict('This application is deployed from archives: there is no repository to push to.');
    }
    if (implied && isOnPush === undefined && !before.auto_deploy_on_push) throw conflict(HOW_TO_TURN_ON);
    const { id: applicationId, organisation_id: organisationId } = before;
    const production = await findProduction(tx, applicationId);
    const follows = isOnPush !== undefined && production !== null && production.auto_deploy !== isOnPush;
    const isSame = (Object.keys(columns) as PushColumn[]).every((name) =>
      isDeepStrictEqual(columns[name], before[name]),
    );
    if (isSame && !follows) return before;
    const after = await updateApplication(tx, applicationId, columns);
    if (follows) await updateEnvironment(tx, production.id, { auto_deploy: isOnPush });
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

/** What is refused of one of them would leave the other done. */
export function assertAlone({ autoDeployOnPush, autoDeployBranches, autoDeleteStaleEnvs }: GivenPush): void {
  if ([autoDeployOnPush, autoDeployBranches, autoDeleteStaleEnvs].every((given) => given === undefined)) return;
  throw invalid('Give vcsRepoUrl by itself; then change what a push does.');
}
