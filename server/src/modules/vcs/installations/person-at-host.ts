import { conflict, Fault } from '../../../lib/fault.ts';
import type { AppHost, CallOptions, HostInstallation } from '../../../vcs/vcs-host.ts';
import { askAsPerson } from '../connections/ask-as-person.ts';
import { listConnectionsOf } from '../connections/connection-store.ts';
import type { VcsDeps } from '../vcs-deps.ts';

/** An installation that a person sees at the host. */
export interface Visible {
  installation: HostInstallation;
  /** The token of the account at the host by which the person sees it. */
  accessToken: string;
}

interface Asking extends CallOptions {
  host: AppHost;
  userId: string;
}

/**
 * By whichever of their accounts at the host, each once. Null when the host takes none of them: the person was never
 * there, or has taken back what they had allowed.
 */
export async function visibleInstallations(deps: VcsDeps, { host, userId, signal }: Asking): Promise<Visible[] | null> {
  const seen = new Map<number, Visible>();
  let isKnown = false;
  for (const connection of await listConnectionsOf(deps.store.db, { userId, provider: 'provider1' })) {
    const asked = await askAsPerson(deps, { host, connection, signal }, async (accessToken) => {
      const installations = await host.installationsOf(accessToken, { signal });
      return installations?.map((installation) => ({ installation, accessToken })) ?? null;
    });
    if (!asked?.answer) continue;
    isKnown = true;
    for (const visible of asked.answer)
      if (!seen.has(visible.installation.id)) seen.set(visible.installation.id, visible);
  }
  return isKnown ? [...seen.values()] : null;
}

/** The installation, of which the host says that this person administers its account. */
export async function administeredInstallation(
  deps: VcsDeps,
  { host, userId, installationId, signal }: Asking & { installationId: number },
): Promise<HostInstallation> {
  const visible = await visibleInstallations(deps, { host, userId, signal });
  if (!visible) {
    throw conflict(
      'The host does not know you yet, or no longer: go there once, by vcs-app/install (lilac vcs install).',
    );
  }
  const found = visible.find(({ installation }) => installation.id === installationId);
  if (!found) throw new Fault('NF001', 'You see no such installation at the host.');
  const { installation, accessToken } = found;
  if (!(await host.administers(accessToken, installation, { signal }))) {
    throw new Fault('CA005', `Only somebody who administers ${installation.account.login} at the host may do this.`);
  }
  return installation;
}
