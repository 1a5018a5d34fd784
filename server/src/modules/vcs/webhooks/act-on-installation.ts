import type { InstallationEvent } from '../../../vcs/vcs-host.ts';
import { readAgain } from '../installations/read-again.ts';
import type { Act, ActDeps } from './webhooks-deps.ts';

/** Whatever has changed, the host is asked how it is now. One that nobody has linked stays unknown. */
export async function actOnInstallation(
  deps: Pick<ActDeps, 'hosts' | 'store'>,
  { installationId }: InstallationEvent,
  { signal }: Pick<Act, 'signal'>,
): Promise<void> {
  const host = await deps.hosts.app();
  if (host) await readAgain(deps, { host, installationId, signal });
}
