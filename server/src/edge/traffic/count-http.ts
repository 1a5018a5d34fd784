import type { IncomingMessage, ServerResponse } from 'node:http';
import { OneByOne } from '../one-by-one.ts';
import type { StaticRequest } from '../static/static-answer.ts';

/**
 * Counts and writes down a request that Node's own server has read and answers. What is passed on is counted where it
 * goes.
 */
export function countHttp(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { counters, access }: Pick<StaticRequest, 'counters' | 'access'>,
): void {
  const connection: unknown = request.socket;
  if (counters === null || !(connection instanceof OneByOne)) return;
  const startedAtMs = performance.now();
  const { bytesPassed, bytesWritten } = connection;
  // Before the connection itself goes on to the next request.
  response.prependOnceListener('close', () => {
    const ms = performance.now() - startedAtMs;
    if (response.headersSent) counters.noteAnswer(response.statusCode, ms);
    else counters.noteGone(ms);
    const bodyBytes = connection.bytesPassed - bytesPassed;
    const bytesOut = connection.bytesWritten - bytesWritten;
    counters.noteBytes(headBytes(request) + bodyBytes, bytesOut);
    access?.end(response.headersSent ? response.statusCode : 0, bytesOut);
  });
}

/** As it was sent, but for spaces that mean nothing. */
function headBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const requestLine = `${method} ${url} HTTP/1.1\r\n`.length;
  return rawHeaders.reduce((sum, text) => sum + text.length + 2, requestLine + 2);
}
