import type { OutputOf } from '../../../lib/api-types.ts';
import { SELDOM_MS } from '../../../lib/news-pace.ts';
import { useCall } from '../../../lib/use-call.ts';
import { useMember } from '../../../shell/member-context.ts';

export type ConnectedDatabase = OutputOf<'environments.databases'>[number];

/** The databases whose addresses an environment is given. Where they cannot be read, the page does without. */
export function useConnected(environmentId: string): readonly ConnectedDatabase[] {
  const body = { targetOrganisationId: useMember().organisation.id, environmentId };
  return useCall('environments.databases', { body }, { refreshMs: SELDOM_MS }).data ?? [];
}
