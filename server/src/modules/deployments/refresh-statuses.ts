import type { Tx } from '../../db/pool.ts';
import { applicationStatusOf, environmentStatusOf } from './deployment.ts';
import { holdEnvironment, readHistory } from './deployment-store.ts';
import { setApplicationStatus, setEnvironmentStatus } from './status-store.ts';

/**
 * Writes what follows from the deployments, so that asking for a status is one read. Call it in the
 * transaction of every change. What is being deleted stays so.
 */
export async function refreshStatuses(tx: Tx, environmentId: string): Promise<void> {
  const held = await holdEnvironment(tx, environmentId);
  if (!held || held.environment.status === 'deleting') return;
  const { environment, application } = held;
  const history = await readHistory(tx, environmentId);
  const status = environmentStatusOf(history);
  if (status !== environment.status) await setEnvironmentStatus(tx, environmentId, status);
  if (!environment.is_production || application.status === 'deleting') return;
  const whole = applicationStatusOf(history);
  if (whole !== application.status) await setApplicationStatus(tx, application.id, whole);
}
