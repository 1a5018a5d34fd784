import type { InstallationEvent } from '../../../vcs/vcs-host.ts';
import { noteInstallation } from '../installations/note-installation.ts';
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
  await store.db.transaction().execute((tx) => noteInstallation(tx, { installationId, now }));
}
