import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GitProvider } from '@lilac/contract/states';
import { Fault } from '../lib/fault.ts';
import type { VcsDeps } from '../modules/vcs/vcs-deps.ts';
import { receiveDelivery } from '../modules/vcs/webhooks/receive-delivery.ts';
import { createBodyReader } from './read-whole-body.ts';

/** What the first host sends at most; the others send less. */
const MAX_BYTES = 25 * 1024 * 1024;
/** Of all that are being received at the same moment: anybody may send some. */
const MAX_BYTES_AT_ONCE = 8 * MAX_BYTES;

const paths: Record<GitProvider, string> = {
  provider1: '/api/vcs-app/webhook',
  provider2: '/api/provider2/webhook',
  provider3: '/api/provider3/webhook',
};

const messages = { accepted: 'Received.', known: 'This was received before: nothing is done again.' };

/** Where repository hosts tell what has happened. Their signatures are over the body as it came, so it is not parsed. */
export function registerVcsWebhooks(app: FastifyInstance, deps: VcsDeps): void {
  const readBody = createBodyReader({ maxBytes: MAX_BYTES, maxBytesAtOnce: MAX_BYTES_AT_ONCE });
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', ({ headers }: FastifyRequest, payload: IncomingMessage) =>
      readBody(payload, Number(headers['content-length'] ?? 0)),
    );
    for (const provider of Object.keys(paths) as GitProvider[]) {
      scope.post(paths[provider], { config: { isDocument: true } }, async (request) => {
        const outcome = await receiveDelivery(deps, provider, webhookOf(request));
        return { message: messages[outcome] };
      });
    }
    done();
  });
}

function webhookOf({ headers, body }: FastifyRequest): Parameters<typeof receiveDelivery>[2] {
  if (!Buffer.isBuffer(body)) throw new Fault('VA001', 'A webhook has a body.');
  const single = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  return { headers: Object.fromEntries(single) as Record<string, string | undefined>, body };
}
