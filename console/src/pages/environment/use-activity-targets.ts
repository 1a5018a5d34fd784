import { useCall } from '../../lib/use-call.ts';
import type { EnvironmentEntry } from '../../lib/why-deployed.ts';
import { useMember } from '../../shell/member-context.ts';
import { type ActivityEntry, hasTarget } from '../activity/describe-activity.ts';

/** As many as one answer holds. */
const MOST = 100;

/**
 * What the entries of an environment were done to, by their ids. Its own list does not say, the organisation's does, of
 * the newest: that is asked only where there is something to name.
 */
export function useActivityTargets(
  entries: readonly EnvironmentEntry[],
  refreshMs: number,
): ReadonlyMap<string, ActivityEntry> {
  const targetOrganisationId = useMember().organisation.id;
  const isWanted = entries.some(({ action }) => hasTarget(action));
  const body = { targetOrganisationId, limit: MOST };
  const { data } = useCall('organisations.activity', isWanted ? { body } : null, { refreshMs });
  return new Map(data?.map((entry) => [entry.id, entry]));
}
