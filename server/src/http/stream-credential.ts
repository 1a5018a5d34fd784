import type { FastifyRequest } from 'fastify';
import { Fault } from '../lib/fault.ts';
import { authenticate, type Credential } from './authenticate.ts';
import type { EndpointDeps } from './register-endpoints.ts';

/**
 * A browser's own reader of streams can send no header, and nobody should put a token into an address. So
 * streams, which change nothing, also take the session of the cookie.
 */
export async function authenticateStream(request: FastifyRequest, deps: EndpointDeps): Promise<Credential> {
  const { authorization, cookie } = request.headers;
  const [token] = authorization === undefined ? deps.cookies.refresh(request.ownOrigin).read(cookie) : [];
  if (token === undefined) return authenticate(authorization, deps.accessTokens);
  assertOwnPage(request);
  const session = await deps.sessionOfRefreshToken(token);
  if (!session) throw new Fault('CA002');
  return session;
}

/** A page of another origin can make a browser open streams, with the cookie: also one of an application beside us. */
function assertOwnPage({ headers, originVerdict }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeign && originVerdict !== 'allowed') throw new Fault('CA010');
}
