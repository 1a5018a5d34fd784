import type { AppHost, RepositoryName } from '../../../vcs/vcs-host.ts';
import type { RepositoryLists } from '../access/repository-lists.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { listLinkedInstallations, type LinkedInstallationRow } from './installation-store.ts';

export interface StatusQuestion {
  organisationId: string;
  name: RepositoryName;
  signal: AbortSignal;
}

export interface InstallationStatus {
  configured: boolean;
  installed: boolean;
  installationId: number | null;
  accountLogin: string | null;
  repoAccess: boolean;
}

const NOTHING: InstallationStatus = {
  configured: true,
  installed: false,
  installationId: null,
  accountLogin: null,
  repoAccess: false,
};

/** Whether one of the organisation's installations was granted a repository. */
export async function installationStatus(
  deps: VcsDeps & { lists: RepositoryLists },
  { organisationId, name, signal }: StatusQuestion,
): Promise<InstallationStatus> {
  const host = await deps.hosts.app();
  if (!host) return { ...NOTHING, configured: false };
  const linked = await listLinkedInstallations(deps.store.db, organisationId);
  const isOwners = (row: LinkedInstallationRow) => row.account_login.toLowerCase() === name.owner.toLowerCase();
  // The account may have another name by now; then one of the others reaches what was its.
  for (const row of [...linked.filter(isOwners), ...linked.filter((row) => !isOwners(row))]) {
    if (await isGranted(deps, { host, row, organisationId, name, signal }))
      return { ...statusOf(row), repoAccess: true };
  }
  const ofOwner = linked.find(isOwners);
  return ofOwner ? statusOf(ofOwner) : NOTHING;
}

interface GrantQuestion extends StatusQuestion {
  host: AppHost;
  row: LinkedInstallationRow;
}

/** Everybody sees what is public, so of that the list alone tells whether it was granted. */
async function isGranted(
  { lists }: { lists: RepositoryLists },
  { host, row, organisationId, name, signal }: GrantQuestion,
): Promise<boolean> {
  if (row.is_suspended) return false;
  const access = { kind: 'installation', installationId: Number(row.id) } as const;
  const repository = await host.findRepository(access, name, { signal });
  if (!repository || repository.isPrivate) return repository !== null;
  if (row.account_login.toLowerCase() !== repository.owner.toLowerCase()) return false;
  const granted = await lists.repositories(organisationId, 'provider1', signal);
  return granted.some(({ id }) => id === repository.id);
}

function statusOf({ id, account_login }: LinkedInstallationRow): InstallationStatus {
  return { ...NOTHING, installed: true, installationId: Number(id), accountLogin: account_login };
}
