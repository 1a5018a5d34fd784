import { INCOMPLETE, MALFORMED, MAX_HEAD_BYTES } from './head-scanner.ts';
import { LINE_END_LENGTH, ReadHead, scanner } from './read-head.ts';
import type { HeadFailure } from './request-head.ts';

const [LF, CR] = [10, 13] as const;
/** Before a request. They count for nothing, so they must not go on for ever. */
const MAX_EMPTY_LINES = 4;

/**
 * Reads one request head of HTTP/1.1, by one strict grammar: what others might read in another way is
 * refused. Everything that it takes, Node's own parser takes with the same framing.
 */
export function parseRequestHead(bytes: Buffer, from: number): ReadHead | HeadFailure {
  const start = skipEmptyLines(bytes, from);
  if (start - from > MAX_EMPTY_LINES * 2) return 'malformed';
  if (bytes[start] === CR && start + 1 === bytes.length) return 'incomplete';
  const end = scanner.scan(bytes, start, bytes.length);
  if (end === MALFORMED) return 'malformed';
  if (end === INCOMPLETE) return bytes.length - start >= MAX_HEAD_BYTES ? 'too-large' : 'incomplete';
  return new ReadHead(bytes.toString('latin1', start, end - LINE_END_LENGTH), start, end).read();
}

/** Where what follows a request's first line begins; negative when that line is not whole, or not well made. */
export function findLines(bytes: Buffer, start: number): number {
  return scanner.scanLine(bytes, start, bytes.length);
}

/** Some clients send an empty line after a body (RFC 9112, 2.2). */
function skipEmptyLines(bytes: Buffer, from: number): number {
  let start = from;
  const most = from + (MAX_EMPTY_LINES + 1) * 2;
  while (start < most && bytes[start] === CR && bytes[start + 1] === LF) start += 2;
  return start;
}
