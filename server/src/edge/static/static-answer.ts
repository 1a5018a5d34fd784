import { STATUS_CODES } from 'node:http';
import type { Access } from '../access-log/access-log.ts';
import type { EdgeError } from '../answer.ts';
import { errorContent } from '../pages/error-content.ts';
import type { Counters } from '../traffic/counters.ts';
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
  /** The size of the whole file. */
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
  /** All cookies of the request. */
  cookie: string;
  /** What a release's check shows to reach instances that take no other requests yet. */
  probe: string;
  /** Where it is counted: set by whoever finds out whose it is. Null: nowhere. */
  counters: Counters | null;
  /** Where it is written down; null where it is not. */
  access: Access | null;
}

export function answer(status: number, headers: readonly Header[], body: StaticAnswer['body'] = null): StaticAnswer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return { status, head: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}`, body };
}

/** What the edge itself says at an application's address: a page for a person, JSON for a program. */
export function errorAnswer(error: EdgeError, accept: string): StaticAnswer {
  const { status, headers, body } = errorContent(error, accept);
  return answer(status, headers, body);
}
