import type { OutputOf } from '../../lib/api-types.ts';
import { useCall } from '../../lib/use-call.ts';
import { useMember } from '../../shell/member-context.ts';

export type Folder = OutputOf<'projects.list'>['items'][number];

const none: readonly Folder[] = [];

/** By name; none until they have come. */
export function useFolders(): readonly Folder[] {
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, limit: 100, sortColumn: 'name', sortOrder: 'asc' as const };
  return useCall('projects.list', { body }).data?.items ?? none;
}
