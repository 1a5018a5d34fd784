import { errorCatalogue } from '@lilac/contract/errors';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Fault } from '../../lib/fault.ts';

/** How long a sender that was refused may go on, so that it comes to read why. */
const LINGER_MS = 2000;

export function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, headersFor(body)).end(JSON.stringify(body));
}

/**
 * Says why, and ends the connection. Closing it while the other side still sends would destroy the
 * answer on its way, so what comes is thrown away until the body ends or the time is up.
 */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (isGone(response) || response.headersSent) return void response.destroy();
  const { code, message, options } = error instanceof Fault ? error : new Fault('SV001');
  const body = { ...options.fields, message, code };
  const { status } = errorCatalogue[code];
  const more = {
    connection: 'close',
    ...(code === 'MT001' && { allow: 'GET, HEAD, PUT' }),
    ...(status === 503 && { 'retry-after': String(options.retryAfterSeconds ?? 1) }),
  };
  response.writeHead(status, { ...headersFor(body), ...more });
  response.write(JSON.stringify(body));
  if (request.complete) return void response.end();
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  request.on('end', () => response.end()).on('close', () => clearTimeout(timer));
  request.resume();
}

/** The connection broke: there is nobody to tell. A request that was read to its end looks destroyed, too. */
export const isGone = (response: ServerResponse): boolean => response.socket?.destroyed ?? true;

/** What is not HTTP at all: no request came to be, so the answer is written by hand. */
export function answerBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const body = { message: isLate ? 'The request took too long.' : 'The request is not valid HTTP.', code: 'VA001' };
  const lines = Object.entries({ ...headersFor(body), connection: 'close' }).map(
    ([name, value]) => `${name}: ${String(value)}`,
  );
  const status = isLate ? '408 Request Timeout' : '400 Bad Request';
  socket.end([`HTTP/1.1 ${status}`, ...lines, '', JSON.stringify(body)].join('\r\n'));
}

function headersFor(body: object): OutgoingHttpHeaders {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(JSON.stringify(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
}
