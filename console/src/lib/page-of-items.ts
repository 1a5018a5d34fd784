/** What an address says, which somebody may have changed by hand. */
export function readPageNumber(text: string): number {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 1;
}

/** One page of a list that is here as a whole, in the shape of those that are not; the last where it ends before. */
export function pageOfItems<Item>(items: readonly Item[], page: number, size: number) {
  const totalPages = Math.ceil(items.length / size);
  const currentPage = Math.min(page, Math.max(1, totalPages));
  const from = (currentPage - 1) * size;
  return { items: items.slice(from, from + size), totalItems: items.length, totalPages, currentPage };
}
