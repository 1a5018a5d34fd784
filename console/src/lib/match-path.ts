import { type ConsolePath, consolePaths } from '@lilac/contract/console-paths';

interface Match {
  pattern: ConsolePath;
  params: Record<string, string>;
}

const patterns = consolePaths.map((pattern) => ({ pattern, parts: partsOf(pattern)! }));

/** Which page an address is of, and the ids in it. What is written out goes before what stands for an id. */
export function matchPath(path: string): Match | null {
  const parts = partsOf(path);
  if (!parts) return null;
  const found = patterns.flatMap((candidate) => matchParts(candidate, parts) ?? []);
  return found.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0] ?? null;
}

function matchParts({ pattern, parts }: (typeof patterns)[number], given: readonly string[]): Match | null {
  if (parts.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = given[index]!;
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return { pattern, params };
}

/** Null: badly encoded, as no address of a page is. */
function partsOf(path: string): string[] | null {
  try {
    return path.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}
