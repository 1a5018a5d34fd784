import type { GitProvider } from '@lilac/contract/states';
import { useMember } from '../shell/member-context.ts';
import type { RepositoryPlace } from './repository-hosts.ts';
import { type Loaded, useCall } from './use-call.ts';

export interface LinkedRepository {
  full_name: string;
  private: boolean;
  default_branch: string | null;
}

interface Branch {
  name: string;
  commit_sha: string;
}

/** What the organisation reaches at a host by what is linked. */
export function useLinkedRepositories(provider: GitProvider): Loaded<LinkedRepository[]> {
  const input = { params: { orgId: useMember().organisation.id } };
  const ofHost = (which: GitProvider) => (which === provider ? input : null);
  const lists: Record<GitProvider, Loaded<LinkedRepository[]>> = {
    provider1: useCall('vcs-app.repositories', ofHost('provider1')),
    provider2: useCall('provider2.repositories', ofHost('provider2')),
    provider3: useCall('provider3.repositories', ofHost('provider3')),
  };
  return lists[provider];
}

/** By what is linked, or as anybody may see them. */
export function useBranches({ provider, owner, repo, url }: RepositoryPlace, isLinked: boolean): Loaded<Branch[]> {
  const targetOrganisationId = useMember().organisation.id;
  const input = { params: { orgId: targetOrganisationId, owner, repo } };
  const ofHost = (which: GitProvider) => (isLinked && which === provider ? input : null);
  const lists: Record<GitProvider, Loaded<Branch[]>> = {
    provider1: useCall('vcs-app.branches', ofHost('provider1')),
    provider2: useCall('provider2.branches', ofHost('provider2')),
    provider3: useCall('provider3.branches', ofHost('provider3')),
  };
  const body = { targetOrganisationId, vcsRepoUrl: url };
  const open = useCall('applications.public-branches', isLinked ? null : { body });
  return isLinked ? lists[provider] : open;
}
