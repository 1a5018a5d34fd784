import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../lib/ids.ts';

/**
 * Answers what is not HTTP at all, so that even then the shape is ours. The request never came to be,
 * hence no routes and no hooks: the answer is written to the socket by hand.
 */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headersFor: (address: string) => Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const { status, message } = problemOf(error.code);
  const body = JSON.stringify({ message, code: 'VA001' });
  const headers = {
    ...headersFor(socket.remoteAddress ?? '127.0.0.1'),
    'x-request-id': newId('req'),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function problemOf(code: string | undefined): { status: number; message: string } {
  if (code === 'HPE_HEADER_OVERFLOW') return { status: 431, message: 'The headers are too large.' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, message: 'The request took too long to arrive.' };
  return { status: 400, message: 'The request is not valid HTTP.' };
}
