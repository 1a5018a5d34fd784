import { useCall } from '../../lib/use-call.ts';
import { useMember } from '../../shell/member-context.ts';
import type { Application } from './application-page.tsx';
import { repositoryPath } from './repository-path.ts';

/** Only where something is left to be detected; of an archive nothing can be asked any more. */
export function useDetected(application: Application, branch: string | null) {
  const targetOrganisationId = useMember().organisation.id;
  const { vcs_repo_url, git_provider, root_directory, build_command, output_directory } = application;
  const isServer = application.deployment_type === 'container';
  const isAllSaid = build_command !== null && (isServer || output_directory !== null);
  const path = isAllSaid ? null : repositoryPath(vcs_repo_url);
  const rootDirectory = root_directory ?? undefined;
  const place = path && branch ? { ...path, branch, gitProvider: git_provider, rootDirectory } : null;
  return useCall('applications.detect-framework', place && { body: { targetOrganisationId, ...place } }).data;
}
