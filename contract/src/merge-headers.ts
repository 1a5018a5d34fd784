/**
 * The later ones win, however a name is spelt: of `x-a` and `X-A` in one object both would be sent, as a list that
 * nobody meant. The names come out in lower case.
 */
export function mergeHeaders(...parts: (Record<string, string> | undefined)[]): Record<string, string> {
  const merged = new Headers();
  for (const part of parts) {
    for (const [name, value] of Object.entries(part ?? {})) merged.set(name, value);
  }
  return Object.fromEntries(merged);
}
