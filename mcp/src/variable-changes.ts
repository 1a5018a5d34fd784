import { enumerate } from './shorten.ts';

type Variables = Readonly<Record<string, string>>;

export interface VariableChanges {
  added: string[];
  /** Those whose value becomes another one. */
  changed: string[];
  removed: string[];
  /** How many there are then. */
  count: number;
}

export function changesOf(before: Variables, wanted: { set: Variables; remove: readonly string[] }): VariableChanges {
  const names = Object.keys(wanted.set);
  const isThere = (name: string) => Object.hasOwn(before, name);
  const added = names.filter((name) => !isThere(name));
  const removed = [...new Set(wanted.remove)].filter(isThere);
  return {
    added,
    changed: names.filter((name) => isThere(name) && before[name] !== wanted.set[name]),
    removed,
    count: Object.keys(before).length + added.length - removed.length,
  };
}

/** As long as a person will read. */
const MAX_NAMES = 2000;

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
