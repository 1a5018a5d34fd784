import type { Tx } from '../../../db/pool.ts';
import type { HostInstallation } from '../../../vcs/vcs-host.ts';
import { listWaitingAtInstallation } from '../hooks/hook-store.ts';
import { enqueueHooks } from '../hooks/job-kinds.ts';
import { updateInstallation } from './installation-store.ts';
import { loseInstallation } from './lose-installation.ts';

export interface SeenInstallation {
  installationId: number;
  /** As the host tells it; null: it is gone. */
  now: HostInstallation | null;
}

/**
 * Whoever has asked the host for an installation notes the answer. Hosts do not say what has changed, so it is looked
 * at whether it still includes what waits for pushes. True when it is gone, and was known; one that is not known stays
 * so.
 */
export async function noteInstallation(tx: Tx, { installationId, now }: SeenInstallation): Promise<boolean> {
  if (!now) return loseInstallation(tx, { installationId });
  await updateInstallation(tx, now);
  for (const applicationId of await listWaitingAtInstallation(tx, installationId)) {
    await enqueueHooks(tx, { applicationId });
  }
  return false;
}
