import { compileBranchGlob } from './branch-glob.ts';
import { Steps } from './glob-automaton.ts';

/** Longer than any branch: nobody's patterns are tried on what a host has made up. */
const LONGEST_NAME = 1024;
/** A hundred patterns that people write take a tenth of it; all of it is about a hundredth of a second. */
const MOST_STEPS = 500_000;

/**
 * Whether a list of globs names a branch: `*` stays between two slashes, `**` does not, and what follows a `!` is left
 * out, whatever else names it. A list of nothing but exceptions names all the others. A name in full always means
 * itself, whatever characters are in it. A list that is made to take for ever names nothing: nobody knows whether what
 * it leaves out would have been this branch.
 */
export function matchesBranch(patterns: readonly string[], branch: string): boolean {
  if (patterns.length === 0 || branch.length > LONGEST_NAME) return false;
  const [excluded, included] = [patterns.filter(isException), patterns.filter((pattern) => !isException(pattern))];
  const exceptions = excluded.map((pattern) => pattern.slice(1));
  const steps = new Steps(MOST_STEPS);
  const names = (list: readonly string[]) => list.includes(branch) || isAnyMatch(list, branch, steps);
  return (included.length === 0 || names(included)) && !names(exceptions) && !steps.isSpent;
}

const isException = (pattern: string): boolean => pattern.startsWith('!');

function isAnyMatch(globs: readonly string[], branch: string, steps: Steps): boolean {
  return globs.some((glob) => !steps.isSpent && compileBranchGlob(glob)?.matches(branch, steps));
}
