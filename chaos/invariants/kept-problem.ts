import type { Ledger } from '../ledger.ts';
import type { Problem } from './problem.ts';

const NAME = 'no acknowledged change is lost, and none is made twice';

export const keptProblem = (about: string, what: string): Problem => ({ invariant: NAME, about, what });

/** A problem where what is found is not among what was promised. */
export function differs(
  ledger: Ledger,
  { key, about, found }: { key: string; about: string; found: string | null },
): Problem[] {
  const allowed = ledger.allowed(key);
  return allowed.includes(found)
    ? []
    : [keptProblem(about, `${key}: found "${found}", and what was promised is ${JSON.stringify(allowed)}`)];
}
