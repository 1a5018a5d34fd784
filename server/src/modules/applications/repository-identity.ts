import type { GitProvider } from '@lilac/contract/states';
import { invalid } from '../../lib/fault.ts';
import type { HostRepository } from '../../vcs/vcs-host.ts';

interface GivenIds {
  provider2ProjectId?: number | undefined;
  provider3RepoUuid?: string | undefined;
}

/**
 * The host's own id of a repository, which stays when it is renamed. What the host says counts, and what was given must
 * be the same; where it says nothing, what was given has to do.
 */
export function identityOf(
  provider: GitProvider,
  { body, found }: { body: GivenIds; found: Pick<HostRepository, 'id' | 'fullName'> | null },
) {
  const { provider2ProjectId, provider3RepoUuid } = body;
  if (provider2ProjectId !== undefined) assertSame('provider2ProjectId', String(provider2ProjectId), found);
  if (provider3RepoUuid !== undefined) assertSame('provider3RepoUuid', provider3RepoUuid, found);
  return {
    provider1_repo_id: provider === 'provider1' ? (found?.id ?? null) : null,
    provider2_project_id: provider === 'provider2' ? (found?.id ?? provider2ProjectId ?? null) : null,
    provider3_repo_uuid: provider === 'provider3' ? (found?.id ?? provider3RepoUuid ?? null) : null,
  };
}

function assertSame(field: string, given: string, found: Pick<HostRepository, 'id' | 'fullName'> | null): void {
  if (!found || found.id.toLowerCase() === given.toLowerCase()) return;
  throw invalid(`${field} is ${given}, but ${found.fullName} has ${found.id} at its host. Leave ${field} out.`);
}
