import { describe, expect, it } from 'vitest';
import { type ListedApplication, refreshMsOf, sayCut, sayEmpty } from './list-request.ts';
import { readFolder } from './read-folder.ts';

/** So many applications, of which the last is in the folder `f`. */
function platformWith(count: number) {
  const all = Array.from({ length: count }, (_, at) => ({
    id: `app_${at}`,
    project_id: at === count - 1 ? 'f' : null,
  }));
  return ({ page, limit }: { page: number; limit: number }) =>
    Promise.resolve({
      items: all.slice((page - 1) * limit, page * limit) as ListedApplication[],
      totalItems: count,
      totalPages: Math.ceil(count / limit),
      currentPage: page,
    });
}

const questionsInMinute = (pages: number) => (60_000 * pages) / refreshMsOf([], pages);

const wanted = { folderId: 'f', page: 1 };

describe('a folder among many applications', () => {
  it('is found in all of them', async () => {
    const { list, pagesRead } = await readFolder(platformWith(250), wanted);
    expect(list.items.map(({ id }) => id)).toEqual(['app_249']);
    expect(pagesRead).toBe(3);
    expect(sayCut(list, '')).toBeNull();
  });

  it('is called empty only where all were looked through', async () => {
    const { list } = await readFolder(platformWith(2000), { ...wanted, folderId: 'other' });
    expect(sayEmpty(list)).toBe('This folder is empty.');
    const cut = (await readFolder(platformWith(2001), wanted)).list;
    expect(sayEmpty(cut)).toBe('None of the first 2,000 applications is in this folder.');
    expect(sayCut(cut, '')).toMatch(/^Only the first 2,000 .* may hold some\. Search for a name/);
    expect(sayCut({ ...cut, totalItems: 3 }, 'shop')).toMatch(/may hold more\. Search for more of the name/);
  });

  it('asks no more often for many pages than for one', () => {
    expect(questionsInMinute(20)).toBe(questionsInMinute(1));
    expect(questionsInMinute(1)).toBe(3);
    expect(refreshMsOf([], 0)).toBe(20_000);
  });
});
