/** One to a line: a comma may be part of one. */
export function parseGlobs(text: string): string[] {
  const globs = text.split('\n').map((line) => line.trim());
  return [...new Set(globs)].filter((glob) => glob !== '');
}

export function printGlobs(globs: readonly string[]): string {
  return globs.join('\n');
}
