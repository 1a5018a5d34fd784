import type { Tx } from '../../db/pool.ts';
import { enqueueStatus } from '../vcs/statuses/job-kinds.ts';
import { abandonRelease, finishDeployment, type DeploymentChange } from './deployment-store.ts';

/** It has come to its end, in whichever way. The repository's host is told of it, where it lets us. */
export async function endDeployment(tx: Tx, id: string, change: DeploymentChange): Promise<void> {
  await finishDeployment(tx, id, change);
  await enqueueStatus(tx, { deploymentId: id });
}

/** A release of one that was live before has come to nothing. */
export async function endAsBefore(tx: Tx, id: string): Promise<void> {
  await abandonRelease(tx, id);
  await enqueueStatus(tx, { deploymentId: id });
}
