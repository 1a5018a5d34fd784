import { fuzzyFilter } from '../../lib/fuzzy-match.ts';
import type { PaletteEntry } from './palette-entry.ts';

type Ranked = Pick<PaletteEntry, 'label' | 'kind' | 'uncounted'>;

/** Those that fit what is typed, the likeliest first. */
export function rankEntries<T extends Ranked>(typed: string, entries: readonly T[]): T[] {
  return fuzzyFilter(typed, entries, textOf, (entry) => textOf(entry).length - (entry.uncounted?.length ?? 0));
}

const textOf = ({ label, kind }: Ranked): string => `${label} ${kind}`;
