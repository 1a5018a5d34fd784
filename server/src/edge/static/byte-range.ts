/** From `start` up to, not including, `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The one range that is asked for. Null when the header is to be ignored: it is none we know, or it
 * asks for several ranges, which may be answered with the whole (RFC 9110, 14.2).
 */
export function readByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i.exec(header.replaceAll(/[ \t]/g, ''));
  if (!match) return null;
  const [, first, last, suffix] = match;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last ? Math.min(Number(last) + 1, size) : size;
  if (last && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}
