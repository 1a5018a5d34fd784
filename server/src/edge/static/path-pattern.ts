/** What a pattern caught, as it was written in the request: `splat` and the named segments. */
export type Captures = Record<string, string>;

export interface SplitPath {
  /** Decoded. */
  segments: readonly string[];
  /** As written. */
  raw: readonly string[];
}

export interface PathPattern {
  /** The path it matches when it has no variable part. */
  literal: string | null;
  match(path: SplitPath): Captures | null;
}

const MAX_PATTERN_LENGTH = 1024;

/**
 * A path of `_redirects` and `_headers`: literal segments, `:name` for one, `*` in a segment for any
 * characters; in the last segment it reaches over slashes. Null when it is not understood. Every
 * segment has one star at most, so a match takes one pass, whoever wrote the pattern.
 */
export function compilePathPattern(pattern: string): PathPattern | null {
  if (!pattern.startsWith('/') || pattern.length > MAX_PATTERN_LENGTH) return null;
  const parts = segmentsOf(pattern).map((part) => (part.startsWith(':') || part.includes('*') ? part : decoded(part)));
  if (parts.some((part) => part.split('*').length > 2)) return null;
  const isVariable = parts.some((part) => part.includes('*') || part.startsWith(':'));
  return {
    literal: isVariable ? null : joinSegments(parts),
    match: (path) => matchParts(parts, path),
  };
}

/** A slash at the end makes no difference to a pattern. */
export function splitPath({ path, raw }: { path: string; raw: string }): SplitPath {
  return { segments: segmentsOf(path), raw: segmentsOf(raw) };
}

export function joinSegments(segments: readonly string[]): string {
  return `/${segments.join('/')}`;
}

function segmentsOf(path: string): string[] {
  const segments = path.slice(1).split('/');
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function matchParts(parts: readonly string[], path: SplitPath): Captures | null {
  const captures: Captures = {};
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    if (isLast && part.includes('*')) return matchRest(part, path, at) ? { ...captures, splat: restOf(path.raw, at) } : null;
    const segment = path.segments[at];
    if (segment === undefined || !matchesSegment(part, segment)) return null;
    if (part.startsWith(':')) captures[part.slice(1)] = path.raw[at]!;
  }
  return path.segments.length === parts.length ? captures : null;
}

function matchRest(part: string, { segments }: SplitPath, at: number): boolean {
  // `/docs/*` is also said of `/docs`, but `/docs/*.html` of no less than it says.
  return at <= segments.length && matchesStar(part, restOf(segments, at));
}

function matchesSegment(part: string, segment: string): boolean {
  if (part.startsWith(':')) return segment !== '';
  return part.includes('*') ? matchesStar(part, segment) : part === segment;
}

function matchesStar(part: string, text: string): boolean {
  const [before = '', after = ''] = part.split('*');
  return text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
}

function restOf(segments: readonly string[], at: number): string {
  return segments.slice(at).join('/');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
