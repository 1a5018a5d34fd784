import { fastify, type LightMyRequestResponse } from 'fastify';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressAnswers } from './compress-answers.ts';

const LONG = JSON.stringify({ lines: Array.from({ length: 5000 }, (_, at) => `Line ${at} of a build log`) });
const SHORT = '{"items":[]}';

async function ask(path: string, acceptEncoding?: string, method: 'GET' | 'HEAD' = 'GET') {
  const app = fastify();
  compressAnswers(app);
  app.get('/long', (_request, reply) => reply.type('application/json').send(LONG));
  app.get('/short', (_request, reply) => reply.type('application/json').send(SHORT));
  app.get('/packed', (_request, reply) => reply.header('content-encoding', 'br').send(LONG));
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
  return await app.inject({ method, url: path, headers });
}

const codingOf = (answer: LightMyRequestResponse) => answer.headers['content-encoding'];

describe('a long answer', () => {
  it('travels compressed to whoever takes it so, and is the same in the end', async () => {
    const answer = await ask('/long', 'gzip, deflate, br, zstd');
    expect(codingOf(answer)).toBe('gzip');
    expect(answer.rawPayload.length).toBeLessThan(LONG.length / 4);
    expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length);
    expect(gunzipSync(answer.rawPayload).toString()).toBe(LONG);
  });

  it.each([undefined, '', 'identity', 'br', 'gzip;q=0'])('is as it was to who says %s', async (acceptEncoding) => {
    const answer = await ask('/long', acceptEncoding);
    expect([codingOf(answer), answer.payload]).toEqual([undefined, LONG]);
  });

  it('that is compressed already is not touched, nor is what only the head was asked of', async () => {
    expect((await ask('/packed', 'gzip')).payload).toBe(LONG);
    expect(codingOf(await ask('/long', 'gzip', 'HEAD'))).toBeUndefined();
  });
});

it('of a short one nothing would be spared', async () => {
  const answer = await ask('/short', 'gzip');
  expect([codingOf(answer), answer.payload]).toEqual([undefined, SHORT]);
});
