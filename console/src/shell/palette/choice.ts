import type { PaletteEntry } from './palette-entry.ts';

type Listed = Pick<PaletteEntry, 'id'>;

/**
 * Where the entry is that somebody moved to: answers that come late put others before it. The first where nobody chose
 * since the last letter, or where it is listed no more.
 */
export function indexOfChosen(entries: readonly Listed[], chosenId: string | null): number {
  return Math.max(
    0,
    entries.findIndex(({ id }) => id === chosenId),
  );
}

const PAGE = 8;

/** What a key chooses; around at the ends. Null for keys that choose nothing. */
export function chosenByKey(key: string, entries: readonly Listed[], current: number): string | null {
  const index = moveOf(key, current, entries.length);
  return index === null ? null : (entries[index]?.id ?? null);
}

function moveOf(key: string, current: number, count: number): number | null {
  if (key === 'ArrowDown') return (current + 1) % count;
  if (key === 'ArrowUp') return (current - 1 + count) % count;
  if (key === 'PageDown') return Math.min(current + PAGE, count - 1);
  if (key === 'PageUp') return Math.max(current - PAGE, 0);
  return null;
}
