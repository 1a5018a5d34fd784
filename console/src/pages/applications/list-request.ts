import type { OutputOf } from '../../lib/api-types.ts';

export type ApplicationList = OutputOf<'applications.list'>;
export type ListedApplication = ApplicationList['items'][number];

const PAGE_SIZE = 20;

/** What the address of the list says. */
interface ListQuery {
  search: string;
  sort: string;
  page: string;
}

/** The first is meant where the address names none. */
export const sorts = [
  { value: '', label: 'Newest first', sortColumn: 'created_at', sortOrder: 'desc' },
  { value: 'changed', label: 'Last changed', sortColumn: 'updated_at', sortOrder: 'desc' },
  { value: 'name', label: 'Name', sortColumn: 'name', sortOrder: 'asc' },
] as const;

/** An address that somebody has changed by hand still shows a list. */
export function listRequest({ search, sort, page }: ListQuery) {
  const { sortColumn, sortOrder } = sorts.find(({ value }) => value === sort) ?? sorts[0];
  return { filter: search.trim().slice(0, 200), sortColumn, sortOrder, page: pageOf(page), limit: PAGE_SIZE };
}

function pageOf(text: string): number {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 1;
}

/** One page of what is in a folder, from all there is. */
export function pageOfFolder(items: readonly ListedApplication[], folderId: string, page: number): ApplicationList {
  const inside = items.filter(({ project_id }) => project_id === folderId);
  const totalPages = Math.ceil(inside.length / PAGE_SIZE);
  const currentPage = Math.min(page, Math.max(1, totalPages));
  const from = (currentPage - 1) * PAGE_SIZE;
  return { items: inside.slice(from, from + PAGE_SIZE), totalItems: inside.length, totalPages, currentPage };
}

const movingStates: readonly string[] = ['pending', 'building', 'deploying', 'deleting'];

export function isAnyMoving(items: readonly Pick<ListedApplication, 'status' | 'last_deployment'>[]): boolean {
  return items.some(({ status, last_deployment: last }) =>
    [status, last?.status].some((state) => state !== undefined && movingStates.includes(state)),
  );
}
