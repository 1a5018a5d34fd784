import { type ApplicationList, type ListedApplication, pageOfFolder } from './list-request.ts';

/** Folders are picked out here, from everything there is. */
const WHOLE_LIMIT = 100;
const MOST_PAGES = 20;

type ReadPage = (wanted: { page: number; limit: number }) => Promise<ApplicationList>;

/** A page of what is in a folder, and how many pages of everything it took. */
export async function readFolder(
  readPage: ReadPage,
  { folderId, page: wanted }: { folderId: string; page: number },
): Promise<{ list: ApplicationList; pagesRead: number }> {
  const items: ListedApplication[] = [];
  let pages = 1;
  let pagesRead = 0;
  while (pagesRead < Math.min(pages, MOST_PAGES)) {
    const part = await readPage({ page: ++pagesRead, limit: WHOLE_LIMIT });
    items.push(...part.items);
    pages = part.totalPages;
  }
  const cutAt = pages > pagesRead ? items.length : null;
  return { list: { ...pageOfFolder(items, folderId, wanted), cutAt }, pagesRead };
}
