import type { Variables } from '@lilac/contract/variable-changes';
import { MAX_VARIABLE_BYTES, MAX_VARIABLES } from '@lilac/contract/variable-limits';
import type { EnvironmentRow } from '../../db/schema.ts';
import { invalid } from '../../lib/fault.ts';
import type { Keyring } from '../../secrets/keyring.ts';

/** What the schema cannot say: how many, how much, and that every value can be handed to a program as it is. */
export function assertVariables(variables: Variables): void {
  const entries = Object.entries(variables);
  if (entries.length > MAX_VARIABLES) throw invalid(`environmentVars may hold at most ${MAX_VARIABLES} names.`);
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0);
  if (bytes > MAX_VARIABLE_BYTES) throw invalid(`environmentVars may hold at most ${MAX_VARIABLE_BYTES} bytes in all.`);
  for (const [name, value] of entries) {
    if (value.includes('\0')) throw invalid(`environmentVars.${name} holds U+0000, which no program can be given.`);
    if (!value.isWellFormed()) throw invalid(`environmentVars.${name} is not valid Unicode.`);
  }
}

/** Null removes; what is not named stays. */
export function patchVariables(before: Variables, patch: Readonly<Record<string, string | null>>): Variables {
  return Object.fromEntries(Object.entries({ ...before, ...patch }).filter(isSet));
}

function isSet(entry: [string, string | null]): entry is [string, string] {
  return entry[1] !== null;
}

/** Null where there are none. */
export function sealVariables(keyring: Keyring, environmentId: string, variables: Variables): string | null {
  if (Object.keys(variables).length === 0) return null;
  return keyring.seal(JSON.stringify(variables), placeOf(environmentId));
}

export function openVariables(
  keyring: Keyring,
  { id, variables }: Pick<EnvironmentRow, 'id' | 'variables'>,
): Record<string, string> {
  if (variables === null) return {};
  return JSON.parse(keyring.open(variables, placeOf(id))) as Record<string, string>;
}

export function isSameVariables(one: Variables, other: Variables): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && one[name] === other[name])
  );
}

const placeOf = (environmentId: string) =>
  ({ table: 'environments', column: 'variables', row: environmentId }) as const;
