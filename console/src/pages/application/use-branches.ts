import { useCall } from '../../lib/use-call.ts';
import { useMember } from '../../shell/member-context.ts';
import type { Application } from './application-page.tsx';
import { repositoryPath } from './repository-path.ts';

/** The names of the repository's branches; none where they cannot be had: a name can be typed all the same. */
export function useBranches(application: Application, isWanted: boolean): string[] {
  const organisationId = useMember().organisation.id;
  const { vcs_repo_url: vcsRepoUrl, git_provider, is_private } = application;
  const path = repositoryPath(vcsRepoUrl);
  const params = isWanted && path && is_private ? { params: { orgId: organisationId, ...path } } : null;
  const open = isWanted && vcsRepoUrl && !is_private;
  const answers = [
    useCall(
      'applications.public-branches',
      open ? { body: { targetOrganisationId: organisationId, vcsRepoUrl } } : null,
    ),
    useCall('vcs-app.branches', git_provider === 'provider1' ? params : null),
    useCall('provider2.branches', git_provider === 'provider2' ? params : null),
    useCall('provider3.branches', git_provider === 'provider3' ? params : null),
  ];
  return answers.flatMap(({ data }) => data ?? []).map(({ name }) => name);
}
