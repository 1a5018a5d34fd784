import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GitProvider } from '@lilac/contract/states';
import { Fault } from '../lib/fault.ts';
import { clientOf } from '../lib/rate-limit.ts';
import type { VcsDeps } from '../modules/vcs/vcs-deps.ts';
import { admitDelivery, receiveDelivery } from '../modules/vcs/webhooks/receive-delivery.ts';
import type { WebhookHead } from '../vcs/vcs-host.ts';
import { createBodyReader } from './read-whole-body.ts';

const MIB = 1024 * 1024;
/** What the first host sends at most; the others send less. */
const MAX_BYTES = 25 * MIB;
/** Nearly every push is smaller: these have memory of their own, which no large one takes. */
const SMALL_BYTES = MIB;
/** No host waits as long for its answer. */
const PATIENCE_MS = 15_000;

const paths: Record<GitProvider, string> = {
  provider1: '/api/vcs-app/webhook',
  provider2: '/api/provider2/webhook',
  provider3: '/api/provider3/webhook',
};

const messages = { accepted: 'Received.', known: 'This was received before: nothing is done again.' };

/**
 * Where repository hosts tell what has happened. Their signatures are over the body as it came, so it is not parsed.
 */
export function registerVcsWebhooks(app: FastifyInstance, deps: VcsDeps): void {
  void app.register((scope, _options, done) => {
    const readBody = { provider1: readerOf(), provider2: readerOf(), provider3: readerOf() };
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
      readBody[request.routeOptions.config.webhookOf!](request, payload),
    );
    for (const provider of Object.keys(paths) as GitProvider[]) {
      const config = { isDocument: true, webhookOf: provider };
      const onRequest = (request: FastifyRequest) => admitDelivery(deps, provider, headOf(request));
      scope.post(paths[provider], { config, onRequest }, async (request) => {
        const { body } = request;
        if (!Buffer.isBuffer(body)) throw new Fault('VA001', 'The webhook has no body.');
        return { message: messages[await receiveDelivery(deps, provider, { ...headOf(request), body })] };
      });
    }
    done();
  });
}

/** Each host has its own memory: whoever floods one keeps none of the others out. */
function readerOf(): (request: FastifyRequest, payload: IncomingMessage) => Promise<Buffer> {
  const readLarge = createBodyReader({
    maxBytes: MAX_BYTES,
    maxBytesAtOnce: 3 * MAX_BYTES,
    maxBytesOfClient: 2 * MAX_BYTES,
    patienceMs: PATIENCE_MS,
  });
  const readSmall = createBodyReader({
    maxBytes: SMALL_BYTES,
    maxBytesAtOnce: 16 * SMALL_BYTES,
    maxBytesOfClient: 8 * SMALL_BYTES,
    patienceMs: PATIENCE_MS,
  });
  return ({ headers, address }, payload) => {
    const announcedBytes = Number(headers['content-length'] ?? 0);
    const isSmall = announcedBytes > 0 && announcedBytes <= SMALL_BYTES;
    return (isSmall ? readSmall : readLarge)(payload, { client: clientOf(address), announcedBytes });
  };
}

function headOf({ headers, query }: FastifyRequest): WebhookHead {
  return { headers: singly(headers), query: singly(query as Record<string, string | string[] | undefined>) };
}

function singly(values: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}
