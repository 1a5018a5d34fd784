/** Whatever somebody types is no reason to keep the platform busy. */
const AT_ONCE = 4;

interface Standing {
  asked: ReadonlySet<string>;
  /** Those of them that have answered. */
  known: ReadonlyMap<string, unknown>;
}

/** Of those that are wanted the first that were not asked yet, as many as may be asked now. */
export function nextToAsk(wanted: readonly string[], { asked, known }: Standing): string[] {
  const free = AT_ONCE - (asked.size - known.size);
  return wanted.filter((id) => !asked.has(id)).slice(0, Math.max(0, free));
}
