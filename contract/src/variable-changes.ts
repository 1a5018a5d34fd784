export type Variables = Readonly<Record<string, string>>;

/** Names only: values are nobody's business. */
export interface VariableChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

export function changesBetween(before: Variables, after: Variables): VariableChanges {
  const isThere = (name: string) => Object.hasOwn(before, name);
  const names = Object.keys(after).toSorted();
  return {
    added: names.filter((name) => !isThere(name)),
    changed: names.filter((name) => isThere(name) && before[name] !== after[name]),
    removed: Object.keys(before)
      .filter((name) => !Object.hasOwn(after, name))
      .toSorted(),
  };
}

/** What differs and nothing else; null is what is to be removed. */
export function patchBetween(before: Variables, after: Variables): Record<string, string | null> {
  const { added, changed, removed } = changesBetween(before, after);
  const wanted = (name: string) => (Object.hasOwn(after, name) ? after[name]! : null);
  return Object.fromEntries([...added, ...changed, ...removed].map((name) => [name, wanted(name)]));
}
