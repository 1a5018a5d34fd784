import { MAX_VARIABLE_BYTES, MAX_VARIABLES } from '@lilac/contract/variable-limits';
import { Refused } from './confirm.ts';

/** Nobody is to be asked for what the platform would not keep: too many, too much, or what no program can be given. */
export function assertFittingVariables(variables: Readonly<Record<string, string>>): void {
  const entries = Object.entries(variables);
  if (entries.length > MAX_VARIABLES) {
    refuse(`an environment has at most ${MAX_VARIABLES} variables, and this would make ${entries.length}.`);
  }
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0);
  if (bytes > MAX_VARIABLE_BYTES) {
    refuse(`the variables of an environment have at most ${MAX_VARIABLE_BYTES} bytes, and this would make ${bytes}.`);
  }
  const unfit = entries.find(([, value]) => value.includes('\0') || !value.isWellFormed());
  if (unfit) refuse(`the value of ${unfit[0]} holds U+0000 or is not valid Unicode: no program can be given it.`);
}

function refuse(why: string): never {
  throw new Refused(`Nothing was changed: ${why}`);
}
