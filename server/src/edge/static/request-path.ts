/** The path of a request: as files are named, and as it was written. */
export interface RequestPath {
  /** Decoded, without double slashes: `/a b/`. */
  path: string;
  /** The same, as it was written: `/a%20b/`. */
  raw: string;
  /** With its question mark; empty when there is none. */
  query: string;
}

const NEEDS_CARE = /[%#\\]|\/[./]/;

/** Null when it is no path that a file could have: broken escapes, dot segments, hidden slashes. */
export function readRequestPath(target: string): RequestPath | null {
  const mark = target.indexOf('?');
  const written = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark);
  if (!NEEDS_CARE.test(written)) return { path: written, raw: written, query };
  if (written.includes('#')) return null;
  const raw = written.replaceAll(/\/{2,}/g, '/');
  const segments = raw.split('/').map(decodeSegment);
  return segments.includes(null) ? null : { path: segments.join('/'), raw, query };
}

/** A path as it goes into a Location header. */
export function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment))
    .join('/');
}

function decodeSegment(segment: string): string | null {
  const decoded = decode(segment);
  if (decoded === null || decoded === '.' || decoded === '..') return null;
  return decoded.includes('/') || decoded.includes('\0') ? null : decoded;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
