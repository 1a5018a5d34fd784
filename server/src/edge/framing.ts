import type { IncomingMessage } from 'node:http';

type Framed = Pick<IncomingMessage, 'headers' | 'httpVersion'>;

/**
 * Whether everybody reads the same end into the body. A coding besides `chunked` would be lost on
 * the way to the api, and a length next to it is how requests are smuggled (RFC 9112, 6.1), as is a
 * coding in HTTP/1.0, which knows of none.
 */
export function isWellFramed({ headers, httpVersion }: Framed): boolean {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return true;
  if (httpVersion !== '1.1') return false;
  return coding.trim().toLowerCase() === 'chunked' && headers['content-length'] === undefined;
}

export function isChunked({ headers }: Framed): boolean {
  return headers['transfer-encoding'] !== undefined;
}

export function hasBody(request: Framed): boolean {
  return isChunked(request) || (request.headers['content-length'] ?? '0') !== '0';
}

/** Whether the client waits for a word before it sends the body. HTTP/1.0 does not know of that. */
export function expectsContinue({ headers, httpVersion }: Framed): boolean {
  return httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '');
}
