export type Variables = Readonly<Record<string, string>>;

/** Names only: values are nobody's business. */
export interface VariableChanges {
  added: string[];
  changed: string[];
  unchanged: string[];
  removed: string[];
}

/** What differs and nothing else; null is what is to be removed. */
export function patchBetween(before: Variables, after: Variables): Record<string, string | null> {
  const { added, changed, removed } = compareVariables(before, after);
  return Object.fromEntries([...added, ...changed, ...removed].map((name) => [name, after[name] ?? null]));
}

export function compareVariables(before: Variables, after: Variables): VariableChanges {
  const names = Object.keys(after).toSorted();
  const isThere = (name: string) => Object.hasOwn(before, name);
  return {
    added: names.filter((name) => !isThere(name)),
    changed: names.filter((name) => isThere(name) && before[name] !== after[name]),
    unchanged: names.filter((name) => before[name] === after[name]),
    removed: Object.keys(before)
      .filter((name) => !Object.hasOwn(after, name))
      .toSorted(),
  };
}
