import type { AppHost, RepositoryName } from '../../../vcs/vcs-host.ts';
import { askEach } from '../access/ask-each.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { listLinkedInstallations, type LinkedInstallationRow } from './installation-store.ts';
import { readAgain } from './read-again.ts';

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
  suspended: boolean;
}

const NOTHING: InstallationStatus = {
  configured: true,
  installed: false,
  installationId: null,
  accountLogin: null,
  repoAccess: false,
  suspended: false,
};

/** Whether one of the organisation's installations was granted a repository. */
export async function installationStatus(
  deps: VcsDeps,
  { organisationId, name, signal }: StatusQuestion,
): Promise<InstallationStatus> {
  const host = await deps.hosts.app();
  if (!host) return { ...NOTHING, configured: false };
  const linked = await listLinkedInstallations(deps.store.db, organisationId);
  const isOwners = (row: LinkedInstallationRow) => row.account_login.toLowerCase() === name.owner.toLowerCase();
  // The account may have another name by now; then one of the others reaches what was its.
  const ordered = [...linked.filter(isOwners), ...linked.filter((row) => !isOwners(row))];
  const granted = await askEach(ordered, async (row) => (await isGranted(host, row, { name, signal })) || null);
  if (granted) return { ...statusOf(granted.linked), repoAccess: true };
  for (const row of linked.filter(isOwners)) {
    const now = await readAgain(deps, { host, installationId: Number(row.id), signal });
    if (!now) continue;
    const isResumed = row.is_suspended && !now.isSuspended;
    const repoAccess = isResumed && (await isGranted(host, { ...row, is_suspended: false }, { name, signal }));
    return { ...statusOf(row), suspended: now.isSuspended, repoAccess };
  }
  return NOTHING;
}

async function isGranted(
  host: AppHost,
  row: LinkedInstallationRow,
  { name, signal }: Pick<StatusQuestion, 'name' | 'signal'>,
): Promise<boolean> {
  if (row.is_suspended) return false;
  const access = { kind: 'installation', installationId: Number(row.id) } as const;
  return (await host.findRepository(access, name, { signal })) !== null;
}

function statusOf({ id, account_login }: LinkedInstallationRow): InstallationStatus {
  return { ...NOTHING, installed: true, installationId: Number(id), accountLogin: account_login };
}
