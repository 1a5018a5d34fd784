import { STATUS_CODES } from 'node:http';
import { errorCatalogue, type ErrorCode } from '@lilac/contract/errors';
import { renderErrorPage } from '../pages/error-page.ts';
import type { Header } from './header-rules.ts';

/** A whole answer, but for what belongs to the connection: Date, Connection. */
export interface StaticAnswer {
  status: number;
  /** The status line and the headers, each ended by CRLF. */
  head: string;
  /** Left out for HEAD. */
  body: Buffer | BlobSlice | null;
}

/** A part of a stored file, from `start` up to, not including, `end`. */
export interface BlobSlice {
  hash: string;
  /** Of the whole file. */
  size: number;
  start: number;
  end: number;
}

/** What the planner needs to know of a request. Absent headers are empty. */
export interface StaticRequest {
  method: string;
  /** A path, as it was written, with its query. */
  target: string;
  accept: string;
  acceptEncoding: string;
  ifMatch: string;
  ifNoneMatch: string;
  ifRange: string;
  range: string;
}

export function answer(status: number, headers: readonly Header[], body: StaticAnswer['body'] = null): StaticAnswer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return { status, head: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}`, body };
}

export interface PlainError {
  code: ErrorCode;
  title: string;
  message: string;
  headers?: readonly Header[];
}

/** What the edge itself says at an application's address: a page for a person, JSON for a program. */
export function errorAnswer({ code, title, message, headers = [] }: PlainError, accept: string): StaticAnswer {
  const { status } = errorCatalogue[code];
  const isForPerson = /\btext\/html\b/.test(accept);
  const text = isForPerson ? renderErrorPage({ status, title, message }) : JSON.stringify({ message, code });
  const body = Buffer.from(text);
  const type = isForPerson ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  return answer(
    status,
    [
      ['Content-Type', type],
      ['Content-Length', String(body.length)],
      ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'"],
      ['X-Content-Type-Options', 'nosniff'],
      ['Cache-Control', 'no-store'],
      ['Vary', 'Accept'],
      ...headers,
    ],
    body,
  );
}
