import type { FastifyInstance } from 'fastify';
import { Fault } from '../lib/fault.ts';
import { sha256 } from '../lib/hash.ts';
import { isSameBytes } from '../lib/same-text.ts';
import { EXPOSITION_TYPE } from '../modules/platform/exposition.ts';

export interface MetricsEndpointDeps {
  /** Null: there is no such endpoint. */
  token: string | null;
  render: () => Promise<string>;
}

/** The operator's metrics, for whoever knows the token. Only the platform's own host comes here. */
export function registerMetrics(app: FastifyInstance, { token, render }: MetricsEndpointDeps): void {
  if (token === null) return;
  const expected = sha256(token);
  app.get('/metrics', async (request, reply) => {
    const [, given] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    // Hashes have one length, and how far they agree tells nothing of the token.
    if (!given || !isSameBytes(sha256(given), expected)) {
      throw new Fault('CA001', 'Send the token that LILAC_METRICS_TOKEN names: Authorization: Bearer <token>.');
    }
    return await reply
      .type(EXPOSITION_TYPE)
      .header('cache-control', 'no-store')
      .send(await render());
  });
}
