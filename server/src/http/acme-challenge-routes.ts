import type { FastifyInstance } from 'fastify';
import { Fault } from '../lib/fault.ts';

export interface AcmeChallengeDeps {
  /** Null: nobody was told to ask for it. */
  answerTo: (token: string) => Promise<string | null>;
}

/** Base64url, at least 128 bits by RFC 8555 §8.3; nothing else can be in the store. */
const TOKEN = /^[\w-]{16,128}$/;

/**
 * Certificate authorities look here whether a name leads to this platform. They come from many addresses, over plain
 * HTTP, with no credential, and do not come again soon when they are turned away.
 */
export function registerAcmeChallenges(app: FastifyInstance, { answerTo }: AcmeChallengeDeps): void {
  const config = { isDocument: true, isChallenge: true };
  app.get<{ Params: { token: string } }>(
    '/.well-known/acme-challenge/:token',
    { config },
    async ({ params: { token } }, reply) => {
      const answer = TOKEN.test(token) ? await answerTo(token) : null;
      if (answer === null) throw new Fault('NF002', 'No certificate authority was told to ask for this.');
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(answer);
    },
  );
}
