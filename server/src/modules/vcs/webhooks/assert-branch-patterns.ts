import { invalid } from '../../../lib/fault.ts';
import { isBranchName } from '../../../vcs/git/branch-name.ts';
import { compileBranchGlob } from './branch-glob.ts';

/** What tries many ways at each letter takes long to say no. */
const MOST_SIGNS = 32;

/** Globs that can name a branch. One that never could is a slip of the pen, and would be silent for ever. */
export function assertBranchPatterns(field: string, patterns: readonly string[]): void {
  for (const pattern of patterns) {
    const why = whyNot(pattern.startsWith('!') ? pattern.slice(1) : pattern);
    if (why !== null) throw invalid(`${field}: "${pattern}" ${why}`);
  }
}

function whyNot(glob: string): string | null {
  if (glob === '') return 'is empty: every entry must be the name of a branch or a pattern.';
  if (withoutAlternatives(glob).includes(',')) {
    return 'has a comma: send each pattern by itself, or write alternatives in braces, as in {feature,fix}/*.';
  }
  if (isBranchName(glob)) return null;
  if (/[\s\p{Cc}]/u.test(glob)) return 'has a space, and no branch has one.';
  if (hasOpenBracket(glob)) return 'has a [ without its ]: it cannot be a pattern, nor the name of a branch.';
  if ((glob.match(/[*?[{(+]/g)?.length ?? 0) > MOST_SIGNS) {
    return `has more than ${MOST_SIGNS} of * ? [ { ( +: write several patterns instead.`;
  }
  if (!compileBranchGlob(glob)) return 'cannot be a pattern: look at what stands in its brackets.';
  return null;
}

/** What stands between braces, innermost first; of braces that do not close, nothing. */
function withoutAlternatives(glob: string): string {
  const rest = glob.replaceAll(/\{[^{}]*\}/g, '');
  return rest === glob ? glob : withoutAlternatives(rest);
}

/** In brackets, another [ means itself. */
const hasOpenBracket = (glob: string): boolean => glob.replaceAll(/\\.|\[[^\]]+\]/g, '').includes('[');
