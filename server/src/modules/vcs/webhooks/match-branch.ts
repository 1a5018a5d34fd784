import { createContext, Script } from 'node:vm';
import picomatch from 'picomatch';

/** More than every sensible list needs, also on a machine that is busy with builds. */
const LIMIT_MS = 500;

/**
 * Whether a list of globs names a branch: `*` stays between two slashes, `**` does not, and what follows a `!` is left
 * out, whatever else names it. A list of nothing but exceptions names all the others. A name in full always means
 * itself, whatever characters are in it. A list that is made to take for ever names nothing: nobody knows whether what
 * it leaves out would have been this branch.
 */
export function matchesBranch(patterns: readonly string[], branch: string): boolean {
  const [excluded, included] = [patterns.filter(isException), patterns.filter((pattern) => !isException(pattern))];
  if (patterns.length === 0) return false;
  const exceptions = excluded.map((pattern) => pattern.slice(1));
  const names = (list: readonly string[]) => list.includes(branch) || isAnyMatch(list, branch);
  try {
    return (included.length === 0 || names(included)) && !names(exceptions);
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

const isException = (pattern: string): boolean => pattern.startsWith('!');

/** Globs become regular expressions, and people can write ones that backtrack for hours: the clock stops those. */
function isAnyMatch(globs: readonly string[], branch: string): boolean {
  if (globs.filter(isHarmless).some((glob) => expressionOf(glob).test(branch))) return true;
  const expressions = globs.filter((glob) => glob !== '' && !isHarmless(glob)).map(expressionOf);
  if (expressions.length === 0) return false;
  return ANY_MATCH.runInContext(createContext({ expressions, branch }), { timeout: LIMIT_MS }) as boolean;
}

const ANY_MATCH = new Script('expressions.some((expression) => expression.test(branch))');

/**
 * Too little can be tried in vain to take long, so that no clock is needed: it might stop what is innocent while the
 * machine has no time for us, and a branch would be overlooked.
 */
function isHarmless(glob: string): boolean {
  if (glob === '' || /[()\\+@!]/.test(glob)) return false;
  const count = (part: RegExp) => glob.match(part)?.length ?? 0;
  return count(/\{/g) === 0 ? count(/\*+/g) <= 2 : count(/\{/g) === 1 && count(/\*+/g) <= 1;
}

/** Picomatch makes one that matches nothing of what cannot be an expression. */
export function expressionOf(glob: string): RegExp {
  return picomatch.makeRe(glob, { dot: true, nonegate: true, noextglob: true });
}
