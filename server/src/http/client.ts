import type { FastifyRequest } from 'fastify';
import type { Client } from './handler.ts';
import type { ChooseRefreshCookie } from './refresh-cookie.ts';

/** Longer ones are nobody's honest name. */
const MAX_USER_AGENT = 512;

export function createClientReader(
  cookieAt: ChooseRefreshCookie,
  readsCookie: boolean,
): (request: FastifyRequest) => Client {
  return ({ address, headers, id, ownOrigin }) => ({
    address,
    isSecure: ownOrigin.startsWith('https:'),
    userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
    type: headers['x-client-type'] === 'cli' ? 'cli' : 'browser',
    requestId: id,
    refreshCookie: readsCookie ? cookieAt(ownOrigin).read(headers.cookie) : null,
    idempotencyKey: single(headers['idempotency-key']),
  });
}

function single(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
