/** What a record holds under a name that somebody gave: every object has a `constructor`, which nobody put there. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
