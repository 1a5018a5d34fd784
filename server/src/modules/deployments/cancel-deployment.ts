import type { Db, Tx } from '../../db/pool.ts';
import type { DeploymentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { cancelJob } from '../../jobs/queue-store.ts';
import { conflict, notFound } from '../../lib/fault.ts';
import { findRoute } from '../../routing/route-store.ts';
import { findActorName } from '../activity/activity-store.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { isMoving } from './deployment.ts';
import { findDeployment, holdDeployment, holdEnvironment, updateDeployment } from './deployment-store.ts';
import { endDeployment } from './end-deployment.ts';
import { callOff } from './end-release.ts';
import type { HeldRelease } from './hold-release.ts';
import { refreshStatuses } from './refresh-statuses.ts';
import { news, tellEnvironment } from './tell-environment.ts';

/**
 * One that waits is cancelled at once. One that is being built, or whose instances start, is told to stop: it is
 * cancelled when its processes are gone. Once edges are told to serve it, it is released, and is not stopped.
 */
export function cancelDeployment(
  db: Db,
  { id, environment_id }: DeploymentRow,
  caller: Caller,
): Promise<DeploymentRow> {
  return db.transaction().execute(async (tx) => {
    const held = await holdEnvironment(tx, environment_id);
    const row = held && (await holdDeployment(tx, id));
    if (!row) throw notFound('Deployment');
    if (!isMoving(row)) throw conflict(`This deployment has ended already: it is ${row.status}.`);
    if (await isSwitchedTo(tx, row)) throw conflict(SWITCHED);
    await stop({ tx, ...held, deployment: row }, `Cancelled by ${await findActorName(tx, caller)}.`);
    await recordActivity(tx, {
      organisationId: row.organisation_id,
      applicationId: row.application_id,
      environmentId: row.environment_id,
      deploymentId: id,
      action: 'deployment_cancelled',
      caller,
    });
    await refreshStatuses(tx, environment_id);
    return (await findDeployment(tx, id))!;
  });
}

const SWITCHED =
  'Visitors are being switched to this deployment: it can no longer be cancelled. Wait for its end, then roll back.';

/** Whether edges were told to serve it to everybody. */
async function isSwitchedTo(tx: Tx, { id, environment_id }: DeploymentRow): Promise<boolean> {
  const target = (await findRoute(tx, environment_id))?.target;
  return target?.deploymentId === id && (target.kind !== 'instances' || target.probe === null);
}

/** Of what is served nothing has to be found out: edges were never told to serve anything else. */
const untouched = { serving: () => [] };

async function stop(held: HeldRelease, error: string): Promise<void> {
  const { tx, deployment: row } = held;
  const { id, status, job_id } = row;
  const isRunning = job_id !== null && (await cancelJob(tx, job_id)) === 'stopping';
  // The reason is written now; the end follows when the job has stopped.
  if (isRunning && status !== 'pending') return void (await updateDeployment(tx, id, { error }));
  if (status === 'deploying') return callOff({ ...held, deployment: { ...row, error } }, untouched);
  await endDeployment(tx, id, { status: 'cancelled', error });
  await tellEnvironment(tx, row, status === 'building' ? news.buildStopped(error) : news.neverBuilt(error));
}
