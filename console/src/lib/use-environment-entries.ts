import { useEffect, useRef } from 'react';
import { useMember } from '../shell/member-context.ts';
import type { Deployment } from './describe-deployment.ts';
import { useCall } from './use-call.ts';
import type { EnvironmentEntry } from './why-deployed.ts';

/** As many as one answer holds. */
const MOST = 100;

/**
 * What was done to an environment, newest first, read once its deployments are known, and anew whenever they have news.
 */
export function useEnvironmentEntries(
  environmentId: string,
  deployments: readonly Deployment[] | undefined,
): readonly EnvironmentEntry[] {
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, environmentId, limit: MOST };
  const { data, reload } = useCall('environments.activity', deployments ? { body } : null);
  const standing = deployments?.map(({ id, status }) => `${id} ${status}`).join('\n');
  const known = useRef(standing);
  useEffect(() => {
    // The first that are known are asked with.
    if (known.current !== undefined && known.current !== standing) reload();
    known.current = standing;
  }, [standing, reload]);
  return data ?? [];
}
