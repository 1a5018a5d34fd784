/** What the fields of a form hold, by their names. */
export type FormValues = Record<string, string>;

/** A field that came later, or went, counts as an empty one. */
export function isAsAtFirst(first: FormValues, now: FormValues): boolean {
  const names = new Set([...Object.keys(first), ...Object.keys(now)]);
  return [...names].every((name) => (first[name] ?? '') === (now[name] ?? ''));
}
