import { environmentTabs } from '../../lib/environment-tabs.ts';
import { fuzzyScore } from '../../lib/fuzzy-match.ts';
import type { PaletteEntry } from './palette-entry.ts';

type Place = Pick<PaletteEntry, 'label' | 'uncounted'> & { href: string };

interface ListedEnvironment {
  id: string;
  name: string;
  is_production: boolean;
}

const FEWEST_LETTERS = 2;

/**
 * Where one can go in an environment: its page, and of its tabs those that a word of what is typed fits. All of them
 * always would bury what else is found.
 */
export function environmentPlaces(
  { id, name, is_production }: ListedEnvironment,
  { application, typed }: { application: string; typed: string },
): Place[] {
  const words = typed.split(/\s+/).filter((word) => word.length >= FEWEST_LETTERS);
  const isWanted = (label: string) => words.some((word) => fuzzyScore(word, label) !== null);
  const label = `${application} / ${name}`;
  // Of environments that fit alike the one that is live comes first, however short the others are called.
  const counted = is_production ? { uncounted: name } : {};
  const tabs = environmentTabs.filter((tab) => tab.path !== '' && isWanted(tab.label));
  return [
    { href: `/environments/${id}`, label, ...counted },
    ...tabs.map((tab) => ({ href: `/environments/${id}${tab.path}`, label: `${label} / ${tab.label}`, ...counted })),
  ];
}
