import type { Tx } from '../../db/pool.ts';
import { cancelJob } from '../../jobs/queue-store.ts';
import { isMoving } from './deployment.ts';
import { holdEnvironment, readHistory } from './deployment-store.ts';
import { endDeployment } from './end-deployment.ts';

/** For an environment that goes: what waits never starts, and what runs is told to stop. */
export async function stopDeployments(tx: Tx, environmentId: string): Promise<void> {
  if (!(await holdEnvironment(tx, environmentId))) return;
  const { entries } = await readHistory(tx, environmentId);
  for (const { id, job_id } of entries.filter(isMoving)) {
    await endDeployment(tx, id, { status: 'cancelled', error: 'The environment is being deleted.' });
    if (job_id) await cancelJob(tx, job_id);
  }
}
