/** Which segments a name stands for: from the first up to, not including, the second. */
export type Span = readonly [start: number, end: number];

export interface PathPattern {
  /** Its segments; null where a name stands; the final `*` is none of them. */
  parts: readonly (string | null)[];
  /** It ends in a `*`: whatever follows matches as well. */
  isOpen: boolean;
  /** The path it matches when it has no variable part. */
  literal: string | null;
  /** The rest that `*` stands for is called `splat`. */
  names: ReadonlyMap<string, Span>;
}

const PLACEHOLDER = /^:([A-Za-z_]\w*)$/;

/**
 * A path of `_redirects` and `_headers`: literal segments, `:name` for one segment, a final `*` (called
 * `splat`) for the rest.
 */
export function compilePathPattern(pattern: string): PathPattern {
  const segments = segmentsOf(pattern);
  const isOpen = segments.at(-1) === '*';
  const written = isOpen ? segments.slice(0, -1) : segments;
  const names = new Map<string, Span>();
  const parts = written.map((segment, at) => {
    const name = PLACEHOLDER.exec(segment)?.[1];
    if (name !== undefined) names.set(name, [at, at + 1]);
    return name === undefined ? segment : null;
  });
  if (isOpen) names.set('splat', [parts.length, Infinity]);
  return { parts, isOpen, names, literal: names.size === 0 ? joinSegments(written) : null };
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
