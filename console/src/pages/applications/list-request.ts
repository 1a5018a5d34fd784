import type { OutputOf } from '../../lib/api-types.ts';
import { pageOfItems, readPageNumber } from '../../lib/page-of-items.ts';

export interface ApplicationList extends OutputOf<'applications.list'> {
  /** Of a folder: so many applications were looked through, and there are more. Null: all of them were. */
  cutAt?: number | null;
}
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
  return { filter: search.trim().slice(0, 200), sortColumn, sortOrder, page: readPageNumber(page), limit: PAGE_SIZE };
}

/** One page of what is in a folder, from all there is. */
export function pageOfFolder(items: readonly ListedApplication[], folderId: string, page: number): ApplicationList {
  const inside = items.filter(({ project_id }) => project_id === folderId);
  return pageOfItems(inside, page, PAGE_SIZE);
}

const MOVING_MS = 5000;
const SETTLED_MS = 20_000;

/** How often to look for news: often while something moves, and no more questions for many pages than for one. */
export const refreshMsOf = (items: Parameters<typeof isAnyMoving>[0], pagesRead: number): number =>
  (isAnyMoving(items) ? MOVING_MS : SETTLED_MS) * Math.max(1, pagesRead);

/** What is said where a folder has nothing to show. */
export function sayEmpty({ cutAt }: ApplicationList): string {
  return cutAt ? `None of the first ${numbers.format(cutAt)} applications is in this folder.` : 'This folder is empty.';
}

/** Null where all there is was looked through. */
export function sayCut({ cutAt, totalItems }: ApplicationList, search: string): string | null {
  if (!cutAt) return null;
  const most = `Only the first ${numbers.format(cutAt)} applications were looked through`;
  const way = search === '' ? 'Search for a name to find others.' : 'Search for more of the name to find others.';
  return `${most}: the folder may hold ${totalItems === 0 ? 'some' : 'more'}. ${way}`;
}

const numbers = new Intl.NumberFormat('en');
const movingStates: readonly string[] = ['pending', 'building', 'deploying', 'deleting'];

export function isAnyMoving(items: readonly Pick<ListedApplication, 'status' | 'last_deployment'>[]): boolean {
  return items.some(({ status, last_deployment: last }) =>
    [status, last?.status].some((state) => state !== undefined && movingStates.includes(state)),
  );
}
