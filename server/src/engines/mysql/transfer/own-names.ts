/**
 * A table that takes its numbers from a sequence names it with its database: without that it can be made in another.
 * What stands in quotes is somebody's text.
 */
export function withoutDatabase(text: string, databaseName: string): string {
  const pattern = new RegExp(String.raw`'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|${'`'}${databaseName}${'`'}\.(?=${'`'})`, 'g');
  return text.replaceAll(pattern, (found) => (found.startsWith("'") ? found : ''));
}
