import { createHash } from 'node:crypto';
import type { Variables } from '@lilac/contract/variable-changes';
import { enumerate } from './shorten.ts';

export interface VariableChanges {
  added: string[];
  /** Those whose value becomes another one. */
  changed: string[];
  removed: string[];
  /** Those named that the environment does not have as its own. */
  absent: string[];
  /** All of them, as they will be. */
  after: Variables;
  /** How many there are then. */
  count: number;
}

export function changesOf(before: Variables, wanted: { set: Variables; remove: readonly string[] }): VariableChanges {
  const names = Object.keys(wanted.set);
  const unwanted = new Set(wanted.remove);
  const isThere = (name: string) => Object.hasOwn(before, name);
  const after = Object.fromEntries(
    Object.entries({ ...before, ...wanted.set }).filter(([name]) => !unwanted.has(name)),
  );
  return {
    added: names.filter((name) => !isThere(name)),
    changed: names.filter((name) => isThere(name) && before[name] !== wanted.set[name]),
    removed: [...unwanted].filter(isThere),
    absent: [...names, ...unwanted].filter((name) => !isThere(name)),
    after,
    count: Object.keys(after).length,
  };
}

/** As long as a person will read. */
const MAX_NAMES = 2000;

/** What is typed must fit its field. */
const MAX_SPELT = 200;

/** What an assistant spells that can ask nobody. Where not all names fit, a digest of all of them stands for the others. */
export function spellingOf(names: readonly string[]): string {
  const spelling = enumerate(names, MAX_SPELT);
  if (spelling === names.join(', ')) return spelling;
  return `${spelling} (${createHash('sha256').update(names.join(',')).digest('hex').slice(0, 8)})`;
}

/** Names what is lost, never a value. */
export function consequenceOf(
  { removed, changed }: VariableChanges,
  { name, url }: { name: string; url: string },
): string {
  const losses = [
    ...(removed.length > 0 ? [`removes ${enumerate(removed, MAX_NAMES)}`] : []),
    ...(changed.length > 0 ? [`replaces the value of ${enumerate(changed, MAX_NAMES)}`] : []),
  ];
  return `This ${losses.join(' and ')} in the environment "${name}" (${url}). The old values cannot be had back.`;
}
