import type { OutputOf } from '../../../lib/api-types.ts';
import { isCut, together } from '../../../lib/found-items.ts';
import { useCall } from '../../../lib/use-call.ts';
import { useMember } from '../../../shell/member-context.ts';

export type Application = OutputOf<'applications.list'>['items'][number];

interface FoundApplications {
  applications: Application[];
  /** There are others, which only typing finds. */
  hasMore: boolean;
}

/** The first hundred by name. Beyond them the platform searches, by what is typed. */
export function useApplications(typed: string): FoundApplications {
  const targetOrganisationId = useMember().organisation.id;
  const order = { targetOrganisationId, limit: 100, sortColumn: 'name', sortOrder: 'asc' as const };
  const first = useCall('applications.list', { body: order }).data;
  const isSearching = isCut(first, typed, 1);
  const sought = isSearching ? { body: { ...order, filter: typed.trim().slice(0, 200) } } : null;
  const further = useCall('applications.list', sought).data;
  return {
    applications: together(first?.items, further?.items),
    hasMore: ((isSearching ? further : first)?.totalPages ?? 0) > 1,
  };
}
