/** Which segments a name stands for: from the first up to, not including, the second. */
export type Captures = Record<string, readonly [start: number, end: number]>;

export interface PathPattern {
  /** The path it matches when it has no variable part. */
  literal: string | null;
  match(segments: readonly string[]): Captures | null;
}

const PLACEHOLDER = /^:([A-Za-z_]\w*)$/;

/**
 * A path of `_redirects` and `_headers`: literal segments, `:name` for one segment, a final `*` (called
 * `splat`) for the rest. A match takes one pass, whoever wrote the pattern.
 */
export function compilePathPattern(pattern: string): PathPattern {
  const parts = segmentsOf(pattern);
  const isVariable = parts.some((part) => part === '*' || PLACEHOLDER.test(part));
  return {
    literal: isVariable ? null : joinSegments(parts),
    match: (segments) => matchParts(parts, segments),
  };
}

/** A slash at the end makes no difference to a pattern. */
export function segmentsOf(path: string): string[] {
  const segments = path.slice(1).split('/');
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

export function joinSegments(segments: readonly string[]): string {
  return `/${segments.join('/')}`;
}

function matchParts(parts: readonly string[], segments: readonly string[]): Captures | null {
  const captures: Captures = {};
  for (const [at, part] of parts.entries()) {
    if (part === '*' && at === parts.length - 1) return { ...captures, splat: [at, segments.length] };
    const name = PLACEHOLDER.exec(part)?.[1];
    if (at >= segments.length || (name === undefined && part !== segments[at])) return null;
    if (name !== undefined) captures[name] = [at, at + 1];
  }
  return segments.length === parts.length ? captures : null;
}
