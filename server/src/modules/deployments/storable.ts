/** PostgreSQL has no zero character in its text, and no half of a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
