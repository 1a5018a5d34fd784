import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { errorCatalogue, type ErrorCode } from '@lilac/contract/errors';
import { newId } from '../lib/ids.ts';
import { renderErrorPage } from './pages/error-page.ts';

/** An answer that the edge gives itself: a page for a person, `{message, code}` for a program. */
export interface EdgeError {
  code: ErrorCode;
  message?: string;
  /** The page's heading. */
  title: string;
  retryAfterSeconds?: number;
}

export function answerError(request: IncomingMessage, response: ServerResponse, error: EdgeError): void {
  const { status, message: usual } = errorCatalogue[error.code];
  const message = error.message ?? usual;
  const isForPerson = /\btext\/html\b/.test(request.headers.accept ?? '');
  const body = isForPerson
    ? renderErrorPage({ status, title: error.title, message })
    : JSON.stringify({ message, code: error.code });
  response.writeHead(status, {
    'Content-Type': isForPerson ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'X-Request-Id': newId('req'),
    Vary: 'Accept',
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** For what is not HTTP at all, so that there is neither request nor response. */
export function rawAnswer(status: 400 | 405 | 408 | 431, message: string): string {
  const body = JSON.stringify({ message, code: status === 405 ? 'MT001' : 'VA001' });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
