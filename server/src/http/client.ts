import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Client, RefreshCookies } from './handler.ts';
import type { OwnCookie, OwnCookies } from './own-cookies.ts';

/** Longer ones are nobody's honest name. */
const MAX_USER_AGENT = 512;

export function createClientReader(
  cookies: OwnCookies,
  /** Which of them the endpoint reads. */
  reads: keyof OwnCookies | null,
): (request: FastifyRequest) => Client {
  return ({ address, headers, id, ownOrigin }) => ({
    address,
    isSecure: ownOrigin.startsWith('https:'),
    userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
    type: readType(headers['x-client-type']),
    requestId: id,
    refreshCookies: reads === 'refresh' ? readRefreshCookies(cookies.refresh(ownOrigin), headers) : noCookies,
    journeyCookies: (state) => (reads === 'journey' ? cookies.journey(ownOrigin, state).read(headers.cookie) : []),
    idempotencyKey: single(headers['idempotency-key']),
  });
}

/** What stands between may send a header twice, which arrives as a list. */
function readType(value: string | string[] | undefined): Client['type'] {
  const values = String(value ?? '').split(',');
  return values.some((each) => each.trim().toLowerCase() === 'cli') ? 'cli' : 'browser';
}

const noCookies: RefreshCookies = { tokens: [], canBePlanted: false, sessionId: null };

function readRefreshCookies(cookie: OwnCookie, headers: IncomingHttpHeaders): RefreshCookies {
  const { canBePlanted } = cookie;
  return { tokens: cookie.read(headers.cookie), canBePlanted, sessionId: single(headers['x-session-id']) };
}

function single(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
