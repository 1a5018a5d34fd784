import { environmentTabs } from '../../lib/environment-tabs.ts';
import { fuzzyScore } from '../../lib/fuzzy-match.ts';

interface Place {
  href: string;
  label: string;
}

const FEWEST_LETTERS = 2;

/**
 * Where one can go in an environment: its page, and of its tabs those that a word of what is typed fits. All of them
 * always would bury what else is found.
 */
export function environmentPlaces(
  { id, name }: { id: string; name: string },
  { application, typed }: { application: string; typed: string },
): Place[] {
  const words = typed.split(/\s+/).filter((word) => word.length >= FEWEST_LETTERS);
  const isWanted = (label: string) => words.some((word) => fuzzyScore(word, label) !== null);
  const label = `${application} / ${name}`;
  const tabs = environmentTabs.filter((tab) => tab.path !== '' && isWanted(tab.label));
  return [
    { href: `/environments/${id}`, label },
    ...tabs.map((tab) => ({ href: `/environments/${id}${tab.path}`, label: `${label} / ${tab.label}` })),
  ];
}
