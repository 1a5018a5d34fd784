import { useEffect } from 'react';
import { useMember } from '../shell/member-context.ts';
import type { Deployment } from './describe-deployment.ts';
import { useCall } from './use-call.ts';
import type { EnvironmentEntry } from './why-deployed.ts';

/** As many as one answer holds. */
const MOST = 100;

/** What was done to an environment, newest first, read anew whenever its deployments have news. */
export function useEnvironmentEntries(
  environmentId: string,
  deployments: readonly Deployment[] | undefined,
): readonly EnvironmentEntry[] {
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, environmentId, limit: MOST };
  const { data, reload } = useCall('environments.activity', { body });
  const standing = deployments?.map(({ id, status }) => `${id} ${status}`).join('\n');
  useEffect(() => {
    if (standing !== undefined) reload();
  }, [standing, reload]);
  return data ?? [];
}
