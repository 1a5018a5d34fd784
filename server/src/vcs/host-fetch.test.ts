import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../engines/tls/make-certificate.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { ASKED_AS, createHostFetch } from './host-fetch.ts';
import { HostUnavailable } from './vcs-host.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each[Symbol.asyncDispose]();
});

/** Answers each request by the next of these; by the last one from then on. */
async function host(...answers: Answer[]) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)];
    calls.push(`${request.method} ${request.url}`);
    answer?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  };
  opened.push({ [Symbol.asyncDispose]: close });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${address}`, address, calls, close };
}

/** Speaks https and http at one and the same port. */
async function hostOfBothKinds(answer: Answer) {
  const { certificate, key } = await makeCertificate(['127.0.0.1']);
  const trustedBefore = getCACertificates('default');
  setDefaultCACertificates([...trustedBefore, certificate]);
  const calls: string[] = [];
  const heardInTheClear: (string | undefined)[] = [];
  const secret = createTlsServer({ cert: certificate, key }, (request, response) => {
    calls.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  const clear = createServer((request, response) => {
    heardInTheClear.push(request.headers.authorization);
    response.end();
  });
  const server = createNetServer((socket) => {
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (!first) return;
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE ? secret : clear).emit('connection', socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({
    [Symbol.asyncDispose]: async () => {
      setDefaultCACertificates(trustedBefore);
      for (const each of [secret, clear]) each.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, calls, heardInTheClear };
}
/** The first byte of whoever begins with TLS. */
const TLS_HANDSHAKE = 22;

const answer =
  (status: number, headers: Record<string, string> = {}, text = ''): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(text);
const hangUp: Answer = (request) => void request.socket.destroy();
const silence: Answer = () => {};
const begins: Answer = (_, response) => void response.writeHead(200).write('x');
const token = { authorization: 'Bearer ghs_secret' };
const as = (name: string, signed: string) => ({ headers: { [ASKED_AS]: name, authorization: `Bearer ${signed}` } });

async function failureOf(promise: Promise<unknown>): Promise<HostUnavailable> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HostUnavailable);
  return error as HostUnavailable;
}

describe('asking a host', () => {
  it('gives its answer on as it is, unpacked', async () => {
    const packed = gzipSync('{"a":1}');
    const { url } = await host((_, response) => {
      response
        .writeHead(201, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-own': 'y' })
        .end(packed);
    });
    const response = await createHostFetch()(`${url}/x`, { method: 'POST', body: 'text' });
    expect([response.status, response.headers.get('x-own'), response.url]).toEqual([201, 'y', `${url}/x`]);
    expect(await response.json()).toEqual({ a: 1 });
  });

  it.each([204, 400, 401, 403, 404, 422])('leaves %i to whoever asked', async (status) => {
    const { url, calls } = await host(answer(status));
    expect((await createHostFetch()(url)).status).toBe(status);
    expect(calls).toHaveLength(1);
  });

  it('sends a body again that was sent as a whole request', async () => {
    const bodies: string[] = [];
    const keep: Answer = (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        bodies.push(text);
        response.writeHead(bodies.length === 1 ? 429 : 200, { 'retry-after': '0' }).end();
      });
    };
    const { url } = await host(keep);
    const response = await createHostFetch()(new Request(url, { method: 'POST', body: 'the same' }));
    expect([response.status, bodies]).toEqual([200, ['the same', 'the same']]);
  });
});

describe('a host in trouble', () => {
  it.each([
    ['breaks connections', hangUp],
    ['answers 502', answer(502)],
    ['answers 503', answer(503)],
    ['answers 504', answer(504)],
  ])('that %s for a moment is asked again', async (_, trouble) => {
    const { url, calls } = await host(trouble, trouble, answer(200));
    expect((await createHostFetch()(url)).status).toBe(200);
    expect(calls).toHaveLength(3);
  });

  it.each([
    ['breaks connections', hangUp, 3],
    ['answers 502', answer(502), 3],
    ['answers 500', answer(500), 1],
  ])('that %s is unavailable, which names it and nothing of the token', async (_, trouble, attempts) => {
    const { url, address, calls } = await host(trouble);
    const failure = await failureOf(createHostFetch()(`${url}/secret-path`, { headers: token }));
    expect(failure.message).toContain(address);
    expect(`${failure.stack} ${JSON.stringify(failure.cause)}`).not.toMatch(/ghs_secret|secret-path/);
    expect(failure.retryAfterSeconds).toBeGreaterThan(0);
    expect(calls).toHaveLength(attempts);
  });

  it('is written to once only', async () => {
    for (const trouble of [hangUp, answer(502)]) {
      const { url, calls } = await host(trouble);
      await failureOf(createHostFetch()(url, { method: 'POST', body: '{}' }));
      expect(calls).toHaveLength(1);
    }
  });

  it('that is not there at all is unavailable', async () => {
    const { url, close } = await host(silence);
    await close();
    opened.pop();
    expect((await failureOf(createHostFetch()(url))).message).toContain('does not answer');
  });

  it('is not waited for longer than told, whether it says nothing or only begins to', async () => {
    for (const slow of [silence, begins]) {
      const { url } = await host(slow);
      expect((await failureOf(createHostFetch({ timeoutMs: 100 })(url))).message).toContain('took too long');
    }
  });

  it('is left at once when whoever asked has gone, with their reason', async () => {
    const { url } = await host(silence);
    const leaving = new AbortController();
    const asked = createHostFetch()(url, { signal: leaving.signal });
    leaving.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
  });

  it('that answers more than can be meant is not read to the end', async () => {
    const { url } = await host(answer(200, {}, 'x'.repeat(2000)));
    expect((await failureOf(createHostFetch({ maxBytes: 1000 })(url))).message).toContain('larger');
  });
});

describe('a host that redirects', () => {
  it('within itself is followed, as for a repository that was renamed', async () => {
    const { url, calls } = await host(answer(301, { location: '/new' }), answer(200));
    const response = await createHostFetch()(`${url}/old`);
    expect([response.status, response.url]).toEqual([200, `${url}/new`]);
    expect(calls).toEqual(['GET /old', 'GET /new']);
  });

  it('elsewhere is not: no token goes there', async () => {
    const other = await host(answer(200));
    const { url } = await host(answer(302, { location: `${other.url}/x` }));
    expect((await failureOf(createHostFetch()(url, { headers: token }))).message).toContain(other.address);
    expect(other.calls).toEqual([]);
  });

  it('elsewhere is not: no token goes there by another port of the same machine', async () => {
    const { url, address } = await host(answer(302, { location: 'http://127.0.0.1:9/x' }));
    expect(address).not.toBe('127.0.0.1:9');
    expect((await failureOf(createHostFetch()(url, { headers: token }))).message).toContain('on to 127.0.0.1:9.');
  });

  it('elsewhere is not: no token goes there in the clear, where the host speaks https', async () => {
    const { address, calls, heardInTheClear } = await hostOfBothKinds((_, response) => {
      response.writeHead(302, { location: `http://${address}/x` }).end();
    });
    const failure = await failureOf(createHostFetch()(`https://${address}/x`, { headers: token }));
    expect(failure.message).toContain(`on to ${address}.`);
    expect(calls).toEqual(['GET /x']);
    expect(heardInTheClear).toEqual([]);
  });

  it('in a ring is left', async () => {
    const { url, calls } = await host(answer(302, { location: '/again' }));
    await failureOf(createHostFetch()(url));
    expect(calls.length).toBeLessThan(10);
  });

  it('is followed by a write only where that stays a write', async () => {
    const moved = await host(answer(307, { location: '/new' }), answer(201));
    expect((await createHostFetch()(moved.url, { method: 'POST', body: 'x' })).status).toBe(201);
    expect(moved.calls).toEqual(['POST /', 'POST /new']);
    const other = await host(answer(302, { location: '/new' }));
    expect((await createHostFetch()(other.url, { method: 'POST', body: 'x' })).status).toBe(302);
  });
});

describe('a host that asks for patience', () => {
  it('for a moment gets it, and is then asked again, whatever it was', async () => {
    for (const method of ['GET', 'POST']) {
      const { url, calls } = await host(answer(429, { 'retry-after': '0' }), answer(200));
      expect((await createHostFetch()(url, { method })).status).toBe(200);
      expect(calls).toHaveLength(2);
    }
  });

  it('for long is not asked meanwhile, and asked again afterwards', async () => {
    const clock = createFakeClock();
    const { url, calls } = await host(answer(403, { 'retry-after': '300' }), answer(200));
    const ask = createHostFetch({ clock });
    expect((await failureOf(ask(url, { headers: token }))).retryAfterSeconds).toBe(300);
    clock.advance(100_000);
    const failure = await failureOf(ask(url, { headers: token }));
    expect(failure.retryAfterSeconds).toBe(200);
    expect(failure.message).toContain('4 minutes');
    expect(calls).toHaveLength(1);
    clock.advance(200_000);
    expect((await ask(url, { headers: token })).status).toBe(200);
  });

  it('of one credential still serves the others; of everybody, nobody', async () => {
    const limited = await host(answer(429, { 'retry-after': '300' }), answer(200));
    const ask = createHostFetch();
    await failureOf(ask(limited.url, { headers: token }));
    expect((await ask(limited.url, { headers: { authorization: 'Bearer other' } })).status).toBe(200);

    const down = await host(answer(503, { 'retry-after': '300' }), answer(200));
    await failureOf(ask(down.url, { headers: token }));
    await failureOf(ask(down.url, { headers: { authorization: 'Bearer other' } }));
    expect(down.calls).toHaveLength(1);
  });

  it('of an app is left in peace however often it signs anew, and hears nothing of whom that goes by', async () => {
    const sent: (string | undefined)[] = [];
    const { url, calls } = await host((request, response) => {
      sent.push(request.headers[ASKED_AS] as string | undefined);
      const say = calls.length === 1 ? answer(429, { 'retry-after': '300' }) : answer(200);
      say(request, response);
    });
    const ask = createHostFetch();
    await failureOf(ask(url, as('app 1', 'first')));
    await failureOf(ask(url, as('app 1', 'second')));
    expect((await ask(url, as('installation 1', 'second'))).status).toBe(200);
    expect(calls).toHaveLength(2);
    expect(sent).toEqual([undefined, undefined]);
  });

  it('with its last good answer is not asked once more', async () => {
    const clock = createFakeClock();
    const reset = String(Math.ceil(clock.now().getTime() / 1000) + 60);
    const { url, calls } = await host(answer(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }));
    const ask = createHostFetch({ clock });
    expect((await ask(url)).status).toBe(200);
    await failureOf(ask(url));
    expect(calls).toHaveLength(1);
  });
});

it('never puts a header into a message that cannot be sent', async () => {
  const broken = { authorization: 'Bearer ghs_secret\nx' };
  await expect(createHostFetch()('http://127.0.0.1', { headers: broken })).rejects.toThrow(/^(?!.*ghs_secret)/);
});
