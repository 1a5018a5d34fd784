import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@lilac/contract/errors';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { createRateLimit, RATE_WINDOW_SECONDS } from '../lib/rate-limit.ts';
import { describeError, errorContent, errorHeaders } from './pages/error-content.ts';
import type { Header } from './static/header-rules.ts';
import { answer, type StaticAnswer } from './static/static-answer.ts';

/** An answer that the edge gives itself: a page for a person, `{message, code}` for a program. */
export interface EdgeError {
  code: ErrorCode;
  /** Where it differs from the code's usual one. */
  status?: 408 | 421 | 431;
  message?: string;
  /** The page's heading. */
  title: string;
  retryAfterSeconds?: number;
  headers?: readonly Header[];
  /** Which headers of the request the answer follows, where it is more than Accept. */
  variesBy?: string;
  /** The request may have had an effect, so its sender is told that, however many requests it sent. */
  mayHaveHadEffect?: boolean;
}

export interface AnswersOptions {
  limit: number;
  clock: Clock;
  addressOf: (request: IncomingMessage) => string;
}

export interface Answers {
  give(request: IncomingMessage, response: ServerResponse, error: EdgeError): void;
  /** The same for whoever writes it by itself. */
  plan(client: { address: string; accept: string }, error: EdgeError): StaticAnswer;
  /** For what is not HTTP at all, so that there is neither request nor response. Ends the connection. */
  giveRaw(socket: Duplex, error: EdgeError): void;
}

/** The edge's own answers. They are counted here, as the api counts its own. */
export function createAnswers({ limit, clock, addressOf }: AnswersOptions): Answers {
  const countAnswer = createRateLimit({ limit, clock });

  function count(address: string, error: EdgeError) {
    const { isOver, remaining, resetSeconds } = countAnswer(address);
    const headers = {
      'X-Request-Id': newId('req'),
      'RateLimit-Limit': String(limit),
      'RateLimit-Policy': `${limit};w=${RATE_WINDOW_SECONDS}`,
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetSeconds),
    };
    const counted = isOver && !error.mayHaveHadEffect ? tooMany(resetSeconds) : error;
    return { counted, headers };
  }

  return {
    give: (request, response, error) => {
      const { counted, headers } = count(addressOf(request), error);
      writeAnswer(request, response, { error: counted, headers });
    },
    plan: ({ address, accept }, error) => {
      const { counted, headers } = count(address, error);
      const content = errorContent(counted, accept);
      return answer(content.status, [...content.headers, ...Object.entries(headers)], content.body);
    },
    giveRaw: (socket, error) => {
      const { counted, headers } = count(addressOfPeer(socket), error);
      socket.end(rawAnswer(counted, headers));
    },
  };
}

function addressOfPeer(connection: Duplex & { remoteAddress?: string }): string {
  return connection.remoteAddress ?? '';
}

function tooMany(retryAfterSeconds: number): EdgeError {
  return { code: 'CA009', title: 'Too many requests', retryAfterSeconds };
}

interface CountedAnswer {
  error: EdgeError;
  headers: Record<string, string>;
}

function writeAnswer(request: IncomingMessage, response: ServerResponse, { error, headers }: CountedAnswer): void {
  const content = errorContent(error, request.headers.accept ?? '');
  response.writeHead(content.status, [...content.headers, ...Object.entries(headers)].flat());
  response.end(request.method === 'HEAD' ? undefined : content.body);
}

function rawAnswer(error: EdgeError, headers: Record<string, string>): string {
  const { status, message } = describeError(error);
  const body = JSON.stringify({ message, code: error.code });
  const lines = [...Object.entries(headers), ...errorHeaders(error)].map(([name, value]) => `${name}: ${value}`);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...lines,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
