import { useState } from 'react';
import { replaceAddress, useQuery } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
import { useMember } from '../../shell/member-context.ts';
import { isMoving } from './describe-database.ts';
import { pageOf } from './page-of.ts';

const PAGE_SIZE = 20;
const MOVING_MS = 3000;
const SETTLED_MS = 20_000;

/** The list that the address asks for, looked at again: often while something moves. */
export function useDatabaseList() {
  const targetOrganisationId = useMember().organisation.id;
  const [search] = useQuery('q');
  const [page] = useQuery('page');
  const [refreshMs, setRefreshMs] = useState(SETTLED_MS);
  const body = { targetOrganisationId, filter: search.slice(0, 200), page: pageOf(page), limit: PAGE_SIZE };
  const list = useCall('databases.list', { body }, { refreshMs });
  const wantedMs = list.data?.items.some(isMoving) ? MOVING_MS : SETTLED_MS;
  if (wantedMs !== refreshMs) setRefreshMs(wantedMs);
  return { list, search, show };
}

/** Another search begins with its first page. */
function show({ search = '', page = 1 }: { search?: string; page?: number }): void {
  const query = new URLSearchParams();
  if (search !== '') query.set('q', search);
  if (page > 1) query.set('page', String(page));
  replaceAddress(location.pathname + (query.size > 0 ? `?${query}` : ''));
}
