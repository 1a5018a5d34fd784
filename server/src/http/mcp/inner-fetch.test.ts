import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whenClosed } from '../when-closed.ts';
import { createInnerFetch } from './inner-fetch.ts';

let app: FastifyInstance;
let innerFetch: typeof fetch;
let open = 0;

/** Ends when the response is closed. */
function note(reply: FastifyReply): Promise<void> {
  open += 1;
  return new Promise((resolve) =>
    whenClosed(reply.raw, () => {
      open -= 1;
      resolve();
    }),
  );
}

beforeAll(async () => {
  app = fastify();
  app.post('/echo', (request: FastifyRequest) => ({ got: request.body ?? null }));
  // Answers only when nobody waits any more.
  app.post('/slow', async (_request, reply) => {
    await note(reply);
    return 'too late';
  });
  app.get('/stream', (_request, reply) => {
    void note(reply);
    reply.hijack();
    reply.raw.writeHead(200).write('first');
  });
  await app.ready();
  innerFetch = createInnerFetch(app, { objectsSocket: '/nowhere', uploadOrigin: null })({
    address: '127.0.0.1',
    ownOrigin: 'http://own.test',
  });
});
afterAll(() => app.close());

const slow = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } };
const closed = async () => await expect.poll(() => open).toBe(0);

describe('a call inside', () => {
  it('brings the body, and the answer', async () => {
    expect(await (await innerFetch('http://inside/echo', slow)).json()).toEqual({ got: { a: 1 } });
    expect(await (await innerFetch('http://inside/echo', { method: 'POST' })).json()).toEqual({ got: null });
    expect((await innerFetch('http://inside/nothing')).status).toBe(404);
  });

  it('that is given up before it is answered closes what serves it', async () => {
    const calls = Array.from({ length: 30 }, () => {
      const giving = new AbortController();
      return { giving, ended: innerFetch('http://inside/slow', { ...slow, signal: giving.signal }) };
    });
    await expect.poll(() => open).toBe(30);
    for (const { giving } of calls) giving.abort(new Error('gone'));
    for (const { ended } of calls) await expect(ended).rejects.toThrow('gone');
    await closed();
  });

  it('that is given up while it streams, by its signal or by its reader, closes what serves it', async () => {
    const giving = new AbortController();
    const bySignal = (await innerFetch('http://inside/stream', { signal: giving.signal })).body!.getReader();
    const byReader = (await innerFetch('http://inside/stream')).body!.getReader();
    await Promise.all([bySignal.read(), byReader.read()]);
    expect(open).toBe(2);
    giving.abort();
    await byReader.cancel();
    await expect(bySignal.read()).rejects.toThrow('The caller has gone.');
    await closed();
  });

  it('leaves for where archives are kept, if that is elsewhere, and only for there', async () => {
    await using elsewhere = fastify();
    elsewhere.put('/echo', (request) => `kept ${request.headers['content-length']}`);
    elsewhere.addContentTypeParser(
      'application/zip',
      (_request, payload, done) => void payload.resume().on('end', done),
    );
    const uploadOrigin = await elsewhere.listen({ host: '127.0.0.1', port: 0 });
    const asker = { address: '127.0.0.1', ownOrigin: 'http://own.test' };
    const fetchOut = createInnerFetch(app, { objectsSocket: '/nowhere', uploadOrigin })(asker);
    const archive = { method: 'PUT', body: 'zip', headers: { 'content-type': 'application/zip' } };
    expect(await (await fetchOut(`${uploadOrigin}/echo`, archive)).text()).toBe('kept 3');
    expect((await fetchOut('http://inside/nothing', archive)).status).toBe(404);
  });

  it('given up before it began asks nothing', async () => {
    await expect(innerFetch('http://inside/slow', { ...slow, signal: AbortSignal.abort() })).rejects.toThrow(/aborted/);
    expect(open).toBe(0);
  });
});
