const FEWEST_LETTERS = 2;

/** A list that does not hold everything: the platform has to look for what was typed. */
export function isCut(list: { totalPages: number } | undefined, typed: string, fewest = FEWEST_LETTERS): boolean {
  return (list?.totalPages ?? 0) > 1 && typed.trim().length >= fewest;
}

/** What was listed first, then what was found besides; each once. */
export function together<T extends { id: string }>(first: readonly T[] = [], further: readonly T[] = []): T[] {
  return [...new Map([...first, ...further].map((item) => [item.id, item])).values()];
}
