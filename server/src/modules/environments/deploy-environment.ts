import type { Tx } from '../../db/pool.ts';
import type { DeploymentRow, EnvironmentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { invalid } from '../../lib/fault.ts';
import type { Doer } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { holdApplication } from '../applications/hold-application.ts';
import { startDeployment, type DeploymentToStart } from '../deployments/start-deployment.ts';
import { consumeUpload } from '../uploads/consume-upload.ts';
import { doubtHooks } from '../vcs/hooks/job-kinds.ts';
import type { EnvironmentsDeps } from './environments-deps.ts';
import { holdEnvironment } from './hold-environment.ts';

export interface DeployRequest {
  environment: Pick<EnvironmentRow, 'id' | 'application_id' | 'organisation_id'>;
  uploadId: string | undefined;
  caller: Caller;
}

/** Builds the head of the branch, or the archive: a new one, else the one that was deployed last. */
export function deployEnvironment(
  { store }: Pick<EnvironmentsDeps, 'store'>,
  {
    environment: { id, application_id: applicationId, organisation_id: organisationId },
    uploadId,
    caller,
  }: DeployRequest,
): Promise<DeploymentRow> {
  return store.db.transaction().execute(async (tx) => {
    const application = await holdApplication(tx, applicationId);
    const environment = await holdEnvironment(tx, id);
    if (uploadId !== undefined) {
      if (application.source_type !== 'upload') {
        throw invalid('uploadId goes with an application made from an upload; this one is built from its repository.');
      }
      await consumeUpload(tx, { uploadId, organisationId });
    }
    // Somebody deploys by hand what should have come by a push, perhaps: the host may have lost its webhook.
    await doubtHooks(tx, applicationId);
    return deployHeld(tx, { application, environment, uploadId, caller });
  });
}

/** Call it with the application and the environment held. */
export async function deployHeld(
  tx: Tx,
  { caller, ...toStart }: DeploymentToStart & { caller: Doer },
): Promise<DeploymentRow> {
  const { id: environmentId, application_id: applicationId, organisation_id: organisationId } = toStart.environment;
  const started = await startDeployment(tx, toStart);
  const deed = { organisationId, applicationId, environmentId, deploymentId: started.id, caller };
  await recordActivity(tx, { ...deed, action: 'deployment_started' });
  return started;
}
