import type { Db, Tx } from '../../db/pool.ts';
import type { DeploymentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { cancelJob } from '../../jobs/queue-store.ts';
import { conflict, notFound } from '../../lib/fault.ts';
import { findActorName } from '../activity/activity-store.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { findDeployment, holdDeployment, holdEnvironment, updateDeployment } from './deployment-store.ts';
import { endDeployment } from './end-deployment.ts';
import { refreshStatuses } from './refresh-statuses.ts';
import { news, tellEnvironment } from './tell-environment.ts';

/**
 * One that waits is cancelled at once. One that is being built is told to stop: it is cancelled when
 * its processes are gone. What is being released is a matter of moments, and is not stopped.
 */
export function cancelDeployment(
  db: Db,
  { id, environment_id }: DeploymentRow,
  caller: Caller,
): Promise<DeploymentRow> {
  return db.transaction().execute(async (tx) => {
    await holdEnvironment(tx, environment_id);
    const row = await holdDeployment(tx, id);
    if (!row) throw notFound('Deployment');
    if (row.status === 'deploying') throw conflict('This deployment is being released and can no longer be cancelled.');
    if (row.status !== 'pending' && row.status !== 'building') {
      throw conflict(`This deployment has ended already: it is ${row.status}.`);
    }
    await stop(tx, row, `Cancelled by ${await findActorName(tx, caller)}.`);
    await recordActivity(tx, {
      organisationId: row.organisation_id,
      applicationId: row.application_id,
      environmentId: row.environment_id,
      action: 'deployment_cancelled',
      caller,
    });
    await refreshStatuses(tx, environment_id);
    return (await findDeployment(tx, id))!;
  });
}

async function stop(tx: Tx, row: DeploymentRow, error: string): Promise<void> {
  const { id, status, job_id } = row;
  const isRunning = job_id !== null && (await cancelJob(tx, job_id)) === 'stopping';
  // The reason is written now; the end follows when the build has stopped.
  if (isRunning && status === 'building') return void (await updateDeployment(tx, id, { error }));
  await endDeployment(tx, id, { status: 'cancelled', error });
  await tellEnvironment(tx, row, status === 'building' ? news.buildStopped(error) : news.neverBuilt(error));
}
