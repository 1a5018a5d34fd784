import type { InstallationEvent } from '../../../vcs/vcs-host.ts';
import { listWaitingAtInstallation } from '../hooks/hook-store.ts';
import { enqueueHooks } from '../hooks/job-kinds.ts';
import { updateInstallation } from '../installations/installation-store.ts';
import { loseInstallation } from '../installations/lose-installation.ts';
import type { Act, ActDeps } from './webhooks-deps.ts';

/** Whatever has changed, the host is asked how it is now. One that nobody has linked stays unknown. */
export async function actOnInstallation(
  { hosts, store }: Pick<ActDeps, 'hosts' | 'store'>,
  { installationId }: InstallationEvent,
  { signal }: Pick<Act, 'signal'>,
): Promise<void> {
  const host = await hosts.app();
  if (!host) return;
  const now = await host.findInstallation(installationId, { signal });
  await store.db.transaction().execute(async (tx) => {
    if (now) await updateInstallation(tx, now);
    else await loseInstallation(tx, { installationId });
    for (const applicationId of await listWaitingAtInstallation(tx, installationId)) {
      await enqueueHooks(tx, { applicationId });
    }
  });
}
