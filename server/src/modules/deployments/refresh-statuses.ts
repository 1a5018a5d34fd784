import type { Tx } from '../../db/pool.ts';
import { applicationStatusOf, environmentStatusOf } from './deployment.ts';
import { holdEnvironment, readHistory, type HeldEnvironment } from './deployment-store.ts';
import { setApplicationStatus, setEnvironmentStatus } from './status-store.ts';

/**
 * Writes what follows from the deployments, so that asking for a status is one read. Call it in the
 * transaction of every change. What is being deleted stays so.
 */
export async function refreshStatuses(tx: Tx, environmentId: string): Promise<void> {
  const held = await holdEnvironment(tx, environmentId);
  if (held) await refreshHeld(tx, held);
}

/** For who holds the environment, and has not changed its status since. */
export async function refreshHeld(tx: Tx, { environment, application }: HeldEnvironment): Promise<void> {
  if (environment.status === 'deleting') return;
  const history = await readHistory(tx, environment.id);
  const status = environmentStatusOf(history);
  if (status !== environment.status) await setEnvironmentStatus(tx, environment.id, status);
  if (!environment.is_production || application.status === 'deleting') return;
  const whole = applicationStatusOf(history);
  if (whole !== application.status) await setApplicationStatus(tx, application.id, whole);
}
