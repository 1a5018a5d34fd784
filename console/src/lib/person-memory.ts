const memories = new Set<() => void>();

/** For what a module remembers of a person beyond its page: nobody who comes after them may see it. */
export function forgetWithPerson(forget: () => void): void {
  memories.add(forget);
}

export function forgetPerson(): void {
  for (const forget of memories) forget();
}
