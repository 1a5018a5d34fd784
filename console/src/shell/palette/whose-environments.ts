import { fuzzyScore } from '../../lib/fuzzy-match.ts';

interface ListedApplication {
  id: string;
  name: string;
  created_at: string;
  /** Of production, which is the only one that the list tells of. */
  last_deployment: { started_at: string } | null;
}

/**
 * The platform finds no environment by its name: so many applications are asked for theirs, whatever they are called.
 */
const MOST_RECENT = 20;
const MOST_FITTING = 3;
const FEWEST_LETTERS = 2;

/**
 * Whose environments are looked through: of all applications those whose name fits best, which are asked first, and of
 * the first ones those that were deployed last. What was typed on the way to it makes no difference.
 */
export function whoseEnvironments<T extends ListedApplication>(
  typed: string,
  { first = [], all }: { first: readonly T[] | undefined; all: readonly T[] },
): T[] {
  if (typed.trim().length < FEWEST_LETTERS) return [];
  return [...new Map([...fitting(typed, all), ...deployedLast(first)].map((each) => [each.id, each])).values()];
}

function deployedLast<T extends ListedApplication>(applications: readonly T[]): T[] {
  return applications.toSorted((a, b) => momentOf(b).localeCompare(momentOf(a))).slice(0, MOST_RECENT);
}

function momentOf({ last_deployment, created_at }: ListedApplication): string {
  return last_deployment?.started_at ?? created_at;
}

/** Any word may be the application's, and several may: "preview shop 24". */
function fitting<T extends ListedApplication>(typed: string, applications: readonly T[]): T[] {
  const words = typed.split(/\s+/).filter((word) => word.length >= FEWEST_LETTERS);
  return applications
    .map((application) => ({
      application,
      score: words.reduce((sum, word) => sum + (fuzzyScore(word, application.name) ?? 0), 0),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_FITTING)
    .map(({ application }) => application);
}
