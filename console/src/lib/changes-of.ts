/** Those of the edited that are not as they are saved. */
export function changesOf<T extends object>(saved: Partial<T>, edited: Partial<T>): Partial<T> {
  const isChanged = (name: string) => edited[name as keyof T] !== saved[name as keyof T];
  return Object.fromEntries(Object.entries(edited).filter(([name]) => isChanged(name))) as Partial<T>;
}
