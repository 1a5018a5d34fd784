import { useCallback } from 'react';
import { browserSession } from '../session/browser-session.ts';
import { useMember } from '../shell/member-context.ts';
import type { OutputOf } from './api-types.ts';
import type { Loaded } from './use-call.ts';
import { useRead } from './use-read.ts';

export type Folder = OutputOf<'projects.list'>['items'][number];

const PAGE_SIZE = 100;
const MOST_PAGES = 20;

/** All of them, by name: one that is missing would be shown as none where something is in it. */
export function useFolders(): Loaded<Folder[]> {
  const targetOrganisationId = useMember().organisation.id;
  return useRead(useCallback(() => readAll(targetOrganisationId), [targetOrganisationId]));
}

async function readAll(targetOrganisationId: string): Promise<Folder[]> {
  const folders: Folder[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, MOST_PAGES); page++) {
    const body = { targetOrganisationId, page, limit: PAGE_SIZE, sortColumn: 'name', sortOrder: 'asc' as const };
    const { items, totalPages } = await browserSession.call('projects.list', { body });
    folders.push(...items);
    pages = totalPages;
  }
  return folders;
}
