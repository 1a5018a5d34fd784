import type { IncomingMessage, ServerResponse } from 'node:http';
import { OneByOne } from '../one-by-one.ts';
import type { Counters } from './counters.ts';

/** Counts a request that Node's own server has read and answers. What is passed on is counted where it goes. */
export function countHttp(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  counters: Counters | null,
): void {
  const connection: unknown = request.socket;
  if (counters === null || !(connection instanceof OneByOne)) return;
  const startedAtMs = performance.now();
  const { bytesPassed, bytesWritten } = connection;
  // Before the connection itself goes on to the next request.
  response.prependOnceListener('close', () => {
    if (response.headersSent) counters.noteAnswer(response.statusCode, performance.now() - startedAtMs);
    else counters.noteGone();
    const bodyBytes = connection.bytesPassed - bytesPassed;
    counters.noteBytes(headBytes(request) + bodyBytes, connection.bytesWritten - bytesWritten);
  });
}

/** As it was sent, but for spaces that mean nothing. */
function headBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const requestLine = `${method} ${url} HTTP/1.1\r\n`.length;
  return rawHeaders.reduce((sum, text) => sum + text.length + 2, requestLine + 2);
}
