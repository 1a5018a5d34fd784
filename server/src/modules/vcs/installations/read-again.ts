import type { AppHost, CallOptions, HostInstallation } from '../../../vcs/vcs-host.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { noteInstallation } from './note-installation.ts';

/** It may have changed at the host without our having been told. One that is gone there is forgotten; then null. */
export async function readAgain(
  { store: { db } }: Pick<VcsDeps, 'store'>,
  { host, installationId, signal }: { host: AppHost; installationId: number } & CallOptions,
): Promise<HostInstallation | null> {
  const now = await host.findInstallation(installationId, { signal });
  await db.transaction().execute((tx) => noteInstallation(tx, { installationId, now }));
  return now;
}
