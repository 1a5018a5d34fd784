import type { VcsDeps } from '../vcs-deps.ts';
import type { AppHost, HostInstallation } from '../../../vcs/vcs-host.ts';
import { listLinkedInstallations } from './installation-store.ts';
import { noteInstallation } from './note-installation.ts';

/**
 * Asks the host for each of the organisation's installations. Those that are gone are taken from every organisation;
 * answers how many. Nothing is changed before the host has answered for all of them: one that is down is no reason to
 * forget anything.
 */
export async function syncInstallations(
  { store: { db } }: Pick<VcsDeps, 'store'>,
  { host, organisationId, signal }: { host: AppHost; organisationId: string; signal: AbortSignal },
): Promise<number> {
  const found = new Map<number, HostInstallation | null>();
  for (const { id } of await listLinkedInstallations(db, organisationId)) {
    found.set(Number(id), await host.findInstallation(Number(id), { signal }));
  }
  let removed = 0;
  for (const [installationId, now] of found) {
    if (await db.transaction().execute((tx) => noteInstallation(tx, { installationId, now }))) removed++;
  }
  return removed;
}
