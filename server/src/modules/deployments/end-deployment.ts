import type { Tx } from '../../db/pool.ts';
import { enqueueStatus } from '../vcs/statuses/job-kinds.ts';
import { finishDeployment, type DeploymentChange } from './deployment-store.ts';

/** It has come to its end, in whichever way. The repository's host is told of it, where it lets us. */
export async function endDeployment(tx: Tx, id: string, change: DeploymentChange): Promise<void> {
  await finishDeployment(tx, id, change);
  await enqueueStatus(tx, { deploymentId: id });
}
