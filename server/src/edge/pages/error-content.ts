import { errorCatalogue } from '@lilac/contract/errors';
import type { EdgeError } from '../answer.ts';
import type { Header } from '../static/header-rules.ts';
import { renderErrorPage } from './error-page.ts';

export interface ErrorContent {
  status: number;
  headers: readonly Header[];
  body: Buffer;
}

/** Nothing but its own style; and no page of somebody else around the form of a password. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** What an error looks like to whoever asked: a page for a person, `{message, code}` for a program. */
export function errorContent(error: EdgeError, accept: string): ErrorContent {
  const { status, message } = describeError(error);
  if (!isForPerson(accept)) return contentOf(error, JSON.stringify({ message, code: error.code }), 'application/json');
  return contentOf(error, renderErrorPage({ status, title: error.title, message }), 'text/html');
}

/** The same error with a page of its own. */
export function contentOf(error: EdgeError, text: string, type: 'text/html' | 'application/json'): ErrorContent {
  const body = Buffer.from(text);
  return {
    status: describeError(error).status,
    headers: [
      ['Content-Type', `${type}; charset=utf-8`],
      ['Content-Length', String(body.length)],
      ['Content-Security-Policy', POLICY],
      ['X-Content-Type-Options', 'nosniff'],
      ['Cache-Control', 'no-store'],
      ['Vary', error.variesBy ?? 'Accept'],
      ...errorHeaders(error),
    ],
    body,
  };
}

/** Those that an error has in every form. By the first, answers of the edge are told from an instance's own. */
export function errorHeaders({ code, retryAfterSeconds, headers = [] }: EdgeError): Header[] {
  const own: Header[] = [['X-Lilac-Error', code]];
  if (retryAfterSeconds !== undefined) own.push(['Retry-After', String(retryAfterSeconds)]);
  return [...own, ...headers];
}

export function describeError(error: EdgeError): { status: number; message: string } {
  const usual = errorCatalogue[error.code];
  return { status: error.status ?? usual.status, message: error.message ?? usual.message };
}

export function isForPerson(accept: string): boolean {
  return /\btext\/html\b/.test(accept);
}
