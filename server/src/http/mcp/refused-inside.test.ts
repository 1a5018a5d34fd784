import fastify from 'fastify';
import { expect, it } from 'vitest';
import type { Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import { registerMcp } from './mcp-routes.ts';

it('when to come again is told, where the question who asks is one too many', async () => {
  await using app = fastify();
  app.addHook('onRequest', (request, _reply, done) => {
    Object.assign(request, { address: '127.0.0.1', ownOrigin: 'http://own.test' });
    done();
  });
  app.get('/api/config/feature-flags', (_request, reply) =>
    reply.code(429).header('retry-after', '7').send({ message: 'Too many.', code: 'CA009' }),
  );
  const config = { publicUrl: new URL('http://own.test'), home: '/nowhere' } as Config;
  registerMcp(app, { config, log: {} as Log, questionKey: Buffer.alloc(32), uploadOrigin: null });
  const headers = { authorization: 'Bearer lc_any' };
  const answer = await app.inject({ method: 'POST', url: '/mcp', headers, payload: {} });
  expect(answer).toMatchObject({ statusCode: 429, headers: { 'retry-after': '7' } });
  expect(answer.json()).toMatchObject({ error: { data: { code: 'CA009' } } });
});
