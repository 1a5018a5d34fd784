import { replaceAddress, useQuery } from '../../lib/router.tsx';

/** Their names in the address. */
const names = { search: 'q', sort: 'sort', folder: 'folder', page: 'page' } as const;

type ListPlace = Record<keyof typeof names, string>;

/** What of the list is shown stands in its address: a reload, a link and the way back find it again. */
export function useListAddress(): ListPlace & { change: (part: Partial<ListPlace>) => void } {
  const [search] = useQuery(names.search);
  const [sort] = useQuery(names.sort);
  const [folder] = useQuery(names.folder);
  const [page] = useQuery(names.page);
  const change = (part: Partial<ListPlace>) => {
    // Another list begins with its first page.
    const next = { search, sort, folder, page: '', ...part };
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(next)) if (value) query.set(names[key as keyof ListPlace], value);
    replaceAddress(location.pathname + (query.size > 0 ? `?${query}` : ''));
  };
  return { search, sort, folder, page, change };
}
