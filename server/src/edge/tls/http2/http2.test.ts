import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:http2';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { InstancesTarget } from '../../../routing/route.ts';
import { eventually } from '../../../testing/eventually.ts';
import { instancesOf } from '../../instances/testing/gate-rig.ts';
import { startInstance, type Handler } from '../../instances/testing/start-instance.ts';
import { heldAnswers } from '../../instances/testing/start-served-edge.ts';
import { openFiles } from '../../testing/open-files.ts';
import { APP, DOMAIN, LARGE, startSecureEdge } from '../testing/start-secure-edge.ts';

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function startServer(handler?: Handler) {
  const instance = await startInstance('ins_1', handler);
  const target: InstancesTarget = { ...instancesOf([], { concurrency: 50 }), instances: [instance.address] };
  return { ...(await startSecureEdge(null, { route: { target } })), instance };
}

describe('a site by HTTP/2', () => {
  it('answers as by HTTP/1.1', async () => {
    const edge = await startSecureEdge();
    const { get, call } = await edge.session(DOMAIN);
    const answer = await get();
    expect(answer).toMatchObject({ status: 200, body: 'home' });
    const plain = await edge.get(DOMAIN);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
      expect(answer.headers[name]).toBe(plain.headers[name]);
    }
    expect(answer.headers).not.toHaveProperty('connection');
    expect(await call({ ':method': 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': '4' },
    });
    expect((await get('/', { 'if-none-match': String(answer.headers['etag']) })).status).toBe(304);
    expect((await get('/nowhere', { accept: 'text/html' })).body).toContain('<!doctype html>');
    expect((await call({ ':method': 'POST' }, 'a body')).status).toBe(405);
    expect((await call({ ':method': 'DELETE' })).status).toBe(405);
  });

  it('gives large files whole, and parts of them', async () => {
    const edge = await startSecureEdge();
    const { get, open } = await edge.session();
    expect(hashOf(await buffer(open({ ':path': '/large.bin' })))).toBe(hashOf(LARGE));
    const part = await get('/large.bin', { range: 'bytes=10-19' });
    expect(part).toMatchObject({ status: 206, body: LARGE.subarray(10, 20).toString() });
  });

  it('answers many requests at a time on one connection', async () => {
    const edge = await startSecureEdge();
    const { get } = await edge.session();
    const answers = await Promise.all(Array.from({ length: 90 }, (_, at) => get(at % 10 ? '/' : '/large.bin')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });

  it('leaves no file open behind clients that go away, and reads nothing ahead for those that do not read', async () => {
    const edge = await startSecureEdge();
    const { open, session } = await edge.session();
    const streams = Array.from({ length: 5 }, () => open({ ':path': '/large.bin' }).pause());
    await eventually('the files are open', () => openFiles(edge.paths.objects) === 5);
    streams[0]!.close(constants.NGHTTP2_CANCEL);
    await eventually('one is closed', () => openFiles(edge.paths.objects) === 4);
    session.destroy();
    await eventually('all are closed', () => openFiles(edge.paths.objects) === 0);
    expect(session.destroyed).toBe(true);
  });

  it('is counted', async () => {
    const edge = await startSecureEdge();
    const { get } = await edge.session();
    await get();
    await get('/large.bin');
    await get('/nowhere');
    let requests = 0;
    let bytes = 0;
    await eventually('it is counted', () => {
      edge.traffic.drain((counters) => {
        requests += counters.requests;
        bytes += counters.bytesOut;
      });
      return requests === 3;
    });
    await eventually('so are the bytes', () => {
      edge.traffic.drain(({ bytesOut }) => (bytes += bytesOut));
      return bytes > LARGE.length;
    });
    expect(bytes).toBeLessThan(LARGE.length + 5000);
  });

  it('that is locked takes its password', async () => {
    const edge = await startSecureEdge(
      async (request, response) => {
        const { password } = JSON.parse(await text(request)) as { password: string };
        response.statusCode = password === 'right' ? 200 : 401;
        if (password === 'right') response.setHeader('Set-Cookie', ['unlock=1; Path=/', 'second=2']);
        response.end(JSON.stringify({ address: request.headers['x-forwarded-for'] }));
      },
      { route: { lock: { key: Buffer.alloc(32).toString('base64url') } } },
    );
    const { get, call } = await edge.session();
    const page = await get('/', { accept: 'text/html' });
    expect(page.status).toBe(401);
    const [, path] = /action="([^"]+)"/.exec(page.body) ?? [];
    const send = (password: string) =>
      call(
        { ':method': 'POST', ':path': path!, 'content-type': 'application/x-www-form-urlencoded' },
        `password=${password}&next=%2Fa`,
      );
    expect((await send('wrong')).status).toBe(401);
    const opened = await send('right');
    expect(opened).toMatchObject({
      status: 303,
      headers: { location: '/a', 'set-cookie': ['unlock=1; Path=/', 'second=2'] },
    });
  });
});

describe('the api by HTTP/2', () => {
  it('gets requests as HTTP/1.1 has them, and its answers come back', async () => {
    const edge = await startSecureEdge(async (request, response) => {
      const { method, url, headers } = request;
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.writeHead(201, { 'X-Own': 'yes', Connection: 'keep-alive' });
      response.end(JSON.stringify({ method, url, headers, body: await text(request) }));
    });
    const { call } = await edge.session('lilac.test');
    const fields = {
      ':method': 'PUT',
      ':path': '/api/a?b',
      cookie: ['c=3', 'd=4'],
      'x-forwarded-for': '6.6.6.6',
      te: 'trailers',
    };
    const { status, headers, body } = await call(fields, 'hello');
    expect(status).toBe(201);
    expect(headers).toMatchObject({ 'x-own': 'yes', 'set-cookie': ['a=1', 'b=2'] });
    const seen = JSON.parse(body) as { headers: Record<string, string> };
    expect(seen).toMatchObject({ method: 'PUT', url: '/api/a?b', body: 'hello' });
    expect(seen.headers).toMatchObject({
      host: 'lilac.test',
      cookie: 'c=3; d=4',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'transfer-encoding': 'chunked',
    });
    expect(seen.headers).not.toHaveProperty('te');
    expect(Object.keys(seen.headers).filter((name) => name.startsWith(':'))).toEqual([]);
  });

  it('carries large bodies both ways', async () => {
    const edge = await startSecureEdge((request, response) => request.pipe(response));
    const { open } = await edge.session('lilac.test');
    const stream = open({ ':method': 'POST', 'content-length': LARGE.length }, true);
    stream.end(LARGE);
    expect(hashOf(await buffer(stream))).toBe(hashOf(LARGE));
  });

  it('answers HEAD and what has no body', async () => {
    const edge = await startSecureEdge((request, response) => {
      response.statusCode = request.url === '/none' ? 204 : 200;
      response.end(request.url === '/none' ? undefined : 'text');
    });
    const { call, get } = await edge.session('lilac.test');
    expect(await call({ ':method': 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect(await get('/none')).toMatchObject({ status: 204, body: '' });
    expect(await get('/')).toMatchObject({ status: 200, body: 'text' });
  });

  it('may answer before it has read the body, which then need not be sent', async () => {
    const edge = await startSecureEdge((_request, response) => {
      response.writeHead(413).end('too large');
    });
    const { open } = await edge.session('lilac.test');
    const stream = open({ ':method': 'POST' }, true);
    stream.write(LARGE);
    const [fields] = (await once(stream, 'response')) as [{ ':status': number }];
    expect(fields[':status']).toBe(413);
    expect(await text(stream)).toBe('too large');
    await eventually('the stream is closed', () => stream.closed);
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  });

  it('is asked for the body first where the client waits for that', async () => {
    const edge = await startSecureEdge(async (request, response) => {
      response.writeContinue();
      response.end(await text(request));
    });
    const { open } = await edge.session('lilac.test');
    const stream = open({ ':method': 'POST', expect: '100-continue', 'content-length': 4 }, true);
    await once(stream, 'continue');
    stream.end('body');
    expect(await text(stream)).toBe('body');
  });

  it('that is away is said to be', async () => {
    const edge = await startSecureEdge();
    const { get } = await edge.session('lilac.test');
    const answer = await get('/api/x', { accept: 'application/json' });
    expect(answer).toMatchObject({ status: 503, headers: { 'x-lilac-error': 'SV002', 'retry-after': '5' } });
    expect(answer.headers).toHaveProperty('ratelimit-remaining');
  });

  it('that breaks off does not look as if it had said all', async () => {
    const edge = await startSecureEdge((_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('half', () => response.destroy());
    });
    const { open } = await edge.session('lilac.test');
    const stream = open({});
    await text(stream).catch(() => '');
    expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
  });

  it('hears when a client goes away', async () => {
    const gone = Promise.withResolvers<string>();
    const edge = await startSecureEdge((request, response) => {
      request.resume();
      response.once('close', () => gone.resolve('gone'));
      response.write('first');
    });
    const { open } = await edge.session('lilac.test');
    const stream = open({});
    await once(stream, 'data');
    stream.close(constants.NGHTTP2_CANCEL);
    expect(await gone.promise).toBe('gone');
  });
});

describe('instances by HTTP/2', () => {
  it('answer, and see the client and its body', async () => {
    const edge = await startServer(async (request, response) => {
      const { host, 'x-forwarded-for': address, 'x-forwarded-proto': protocol } = request.headers;
      response.end([host, address, protocol, await text(request)].join(' '));
    });
    const { call } = await edge.session(DOMAIN);
    expect((await call({ ':method': 'POST' }, 'sent')).body).toBe(`${DOMAIN} 127.0.0.1 https sent`);
    expect((await call({ ':method': 'POST', 'content-length': 4 }, 'sent')).body).toContain('https sent');
  });

  it('may say things that HTTP/2 does not know', async () => {
    const edge = await startServer((request, response) => {
      if (request.url === '/status') return response.writeHead(999).end('what?');
      response.setHeader('HTTP2-Settings', 'x').setHeader('TE', 'gzip').setHeader('Etag', ['"1"', '"2"']);
      return response.setHeader('Content-Type', ['text/plain', 'text/html']).end('fine');
    });
    const { get } = await edge.session();
    expect((await get('/status')).status).toBe(502);
    const answer = await get('/');
    expect(answer).toMatchObject({ status: 200, body: 'fine' });
    expect(answer.headers).not.toHaveProperty('http2-settings');
  });

  it('stream their answers', async () => {
    const { held, handler } = heldAnswers();
    const edge = await startServer(handler);
    const { open } = await edge.session();
    const stream = open({});
    await eventually('it is asked', () => held.length === 1);
    for (const word of ['one', 'two']) {
      held[0]!.write(word);
      expect(String(await once(stream, 'data'))).toBe(word);
    }
    stream.close(constants.NGHTTP2_CANCEL);
    await once(held[0]!, 'close');
  });

  it('are not asked for what nobody waits for any more', async () => {
    const { held, handler } = heldAnswers();
    const edge = await startServer(handler);
    const { open, session } = await edge.session();
    for (let count = 0; count < 3; count++) open({});
    await eventually('they are asked', () => held.length === 3);
    session.destroy();
    await eventually('they are free again', () => edge.instance.inFlight === 0);
    expect(held.every(({ writableEnded }) => !writableEnded)).toBe(true);
  });
});

describe('a request of HTTP/2', () => {
  it('may have as many headers as one of HTTP/1.1, and its cookies one by one', async () => {
    const edge = await startServer((request, response) => {
      response.end(
        JSON.stringify([request.headers.cookie, request.rawHeaders.filter((name) => name.startsWith('x-n'))]),
      );
    });
    const { get } = await edge.session();
    const names = Array.from({ length: 700 }, (_, at) => `x-n${at}`);
    const cookies = Array.from({ length: 300 }, (_, at) => `c${at}=1`);
    const many = Object.fromEntries(names.map((name) => [name, '1']));
    const { body } = await get('/', { ...many, cookie: cookies });
    expect(JSON.parse(body)).toEqual([cookies.join('; '), names]);
    const site = await startSecureEdge();
    const visitor = await site.session();
    expect((await visitor.get('/', { ...many, cookie: cookies })).status).toBe(200);
    expect((await visitor.get('/', { 'x-large': 'x'.repeat(17_000) })).status).toBe(431);
    expect((await visitor.get()).status).toBe(200);
  });

  it.each([
    ['that names two hosts', { ':authority': APP, host: DOMAIN }],
    ['with a path that is none', { ':path': 'no-path' }],
  ])('%s is refused', async (_what, fields) => {
    const edge = await startSecureEdge();
    const { call, get } = await edge.session();
    const status = await call(fields).then(
      (answer) => answer.status,
      () => 400,
    );
    expect(status).toBe(400);
    expect((await get()).status).toBe(200);
  });

  it('for a host that nobody has is told so', async () => {
    const edge = await startSecureEdge();
    const { get } = await edge.session();
    expect((await get('/', { ':authority': 'stranger.example' })).status).toBe(404);
    expect((await get('/', { ':authority': 'nobody.apps.test' })).status).toBe(404);
    expect((await get('/', { ':authority': 'what is this?' }).catch(() => ({ status: 404 }))).status).toBe(404);
  });

  it('for a tunnel is refused', async () => {
    const edge = await startSecureEdge();
    const { session, get } = await edge.session();
    const stream = session.request({ ':method': 'CONNECT', ':authority': APP });
    const [fields] = (await once(stream, 'response')) as [{ ':status': number }];
    expect(fields[':status']).toBe(400);
    stream.destroy();
    expect((await get()).status).toBe(200);
  });

  it('that is one too many may be sent again', async () => {
    const { held, handler } = heldAnswers();
    const instance = await startInstance('ins_1', handler);
    const target: InstancesTarget = { ...instancesOf([], { concurrency: 50 }), instances: [instance.address] };
    const edge = await startSecureEdge(null, { maxConnections: 5, route: { target } });
    const { open } = await edge.session();
    const streams = Array.from({ length: 4 }, () => open({}));
    await eventually('it is refused', () => streams[3]!.closed);
    expect(streams[3]!.rstCode).toBe(constants.NGHTTP2_REFUSED_STREAM);
    await eventually('the others are asked', () => held.length === 3);
    held[0]!.end('done');
    await eventually('one is over', () => streams[0]!.closed);
    open({});
    await eventually('it was sent again', () => held.length === 4);
  });
});

describe('an edge that stops', () => {
  it('says so, finishes what is under way, and closes what is idle', async () => {
    const { held, handler } = heldAnswers();
    const edge = await startServer(handler);
    const [busy, idle] = [await edge.session(), await edge.session()];
    const answer = busy.get();
    await eventually('it is asked', () => held.length === 1);
    const told = Promise.all([once(busy.session, 'goaway'), once(idle.session, 'goaway')]);
    const stopped = edge.stop(5000);
    await told;
    if (!idle.session.destroyed) await once(idle.session, 'close');
    expect(busy.session.destroyed).toBe(false);
    held[0]!.end('done');
    expect((await answer).body).toBe('done');
    await stopped;
  });

  it('does not wait for those that never end', async () => {
    const { held, handler } = heldAnswers();
    const edge = await startServer(handler);
    const { open } = await edge.session();
    const stream = open({});
    await eventually('it is asked', () => held.length === 1);
    await edge.stop(50);
    await turn();
    expect(held[0]!.writableEnded).toBe(false);
    await eventually('it is closed', () => stream.closed);
  });
});
