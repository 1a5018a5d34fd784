import type { Db } from '../../db/pool.ts';
import type { DeploymentRow, EnvironmentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { conflict, invalid, notFound } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { enqueueStatus } from '../vcs/statuses/job-kinds.ts';
import { firstReleaseStage, ROLLBACK_WINDOW, rollbackTargets } from './deployment.ts';
import { askAgain, findDeployment, holdEnvironment, readHistory } from './deployment-store.ts';
import { enqueueRelease } from './job-kinds.ts';
import { refreshHeld } from './refresh-statuses.ts';

export interface Rollback {
  environment: EnvironmentRow;
  deploymentId: string;
  caller: Caller;
}

/** Releases a deployment that was live before: no build, and it waits for none. Who asks last wins. */
export function rollBackDeployment(db: Db, { environment, deploymentId, caller }: Rollback): Promise<DeploymentRow> {
  return db.transaction().execute(async (tx) => {
    const held = await holdEnvironment(tx, environment.id);
    const row = held && (await findDeployment(tx, deploymentId));
    if (!row || row.environment_id !== environment.id) throw notFound('Deployment');
    if (held.environment.status === 'deleting') throw conflict('This environment is being deleted.');
    const { entries } = await readHistory(tx, environment.id);
    if (!rollbackTargets(entries).has(deploymentId)) throw invalid(refusalOf(row));
    const job_id = await enqueueRelease(tx, row);
    // Its commit may have been deployed again since, and may show what became of that.
    const change = {
      status: 'deploying',
      stage: firstReleaseStage(row),
      error: null,
      job_id,
      told_state: null,
    } as const;
    const released = await askAgain(tx, deploymentId, change);
    await enqueueStatus(tx, { deploymentId });
    await recordActivity(tx, {
      organisationId: environment.organisation_id,
      applicationId: environment.application_id,
      environmentId: environment.id,
      deploymentId,
      action: 'deployment_rolled_back',
      caller,
    });
    await refreshHeld(tx, held);
    return released;
  });
}

function refusalOf({ released_at }: DeploymentRow): string {
  return released_at === null
    ? 'This deployment cannot be rolled back to: it was never live.'
    : `This deployment can no longer be rolled back to: only the last ${ROLLBACK_WINDOW} successful ones can. Deploy its commit again instead.`;
}
