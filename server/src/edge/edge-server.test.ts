import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startTestEdge, type ApiStandIn } from '../testing/start-test-edge.ts';

describe('a request to the platform', () => {
  it('reaches the api as it was sent, and so does the answer', async () => {
    const edge = await startTestEdge(async (request, response) => {
      const body = await text(request);
      const { method, url, headers } = request;
      response.writeHead(201, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Answer', 'yes']);
      response.end(JSON.stringify({ method, url, host: headers.host, mine: headers['x-mine'], body }));
    });
    const answer = await edge.call({ method: 'POST', path: '/a%20b?c=d', headers: { 'X-Mine': 'm' }, body: 'hello' });
    expect(answer).toMatchObject({ status: 201, headers: { 'set-cookie': ['a=1', 'b=2'], 'x-answer': 'yes' } });
    expect(JSON.parse(answer.body)).toEqual({
      method: 'POST',
      url: '/a%20b?c=d',
      host: 'localhost',
      mine: 'm',
      body: 'hello',
    });
  });

  it('keeps the framing of a body, whatever the method', async () => {
    const edge = await startTestEdge(async (request, response) => {
      response.end(`${request.method} ${await text(request)}`);
    });
    const headers = { 'Transfer-Encoding': 'chunked' };
    expect((await edge.call({ method: 'GET', headers, body: 'one' })).body).toBe('GET one');
    expect((await edge.call({ method: 'DELETE', headers, body: 'two' })).body).toBe('DELETE two');
    expect((await edge.call({ method: 'GET' })).body).toBe('GET ');
  });

  it('tells the api who the client is, and never what the client says it is', async () => {
    const edge = await startTestEdge(echoForwarded);
    const forged = { 'X-Forwarded-For': '6.6.6.6', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil.test' };
    const answer = await edge.call({ headers: forged });
    expect(JSON.parse(answer.body)).toEqual(['127.0.0.1', 'http', 'localhost']);
  });

  it('believes a trusted proxy about the client', async () => {
    const edge = await startTestEdge(echoForwarded, { trustedProxies: ['127.0.0.0/8'] });
    const headers = { 'X-Forwarded-For': '6.6.6.6, 203.0.113.5', 'X-Forwarded-Proto': 'https' };
    const answer = await edge.call({ headers });
    expect(JSON.parse(answer.body)).toEqual(['203.0.113.5', 'https', 'localhost']);
  });

  it('is answered as a stream: what the api has sent is there before it has sent all', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const edge = await startTestEdge((_request, response) => {
      response.write('first');
      held.resolve(response);
    });
    const answer = await edge.open({});
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(first.toString()).toBe('first');
    (await held.promise).end('last');
    expect(await text(answer)).toBe('last');
  });

  it('carries large bodies both ways', async () => {
    const edge = await startTestEdge((request, response) => request.pipe(response));
    const body = Buffer.alloc(20_000_000, 'lilac ');
    const answer = await edge.call({ method: 'POST', body });
    expect(answer.body.length).toBe(body.length);
  });

  it('does not read on while the client does not', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024);
    const edge = await startTestEdge((_request, response) => {
      const send = () => {
        while (sent < 200_000_000 && response.write(chunk)) sent += chunk.length;
        sent += chunk.length;
        response.once('drain', send);
      };
      send();
    });
    const answer = await edge.open({});
    await untilSteady(() => sent);
    expect(sent).toBeLessThan(50_000_000);
    answer.destroy();
  });

  it('uses a connection to the api again', async () => {
    const edge = await startTestEdge(async (request, response) => response.end(await text(request)));
    for (let round = 0; round < 5; round++) await edge.call({ method: 'POST', body: 'again' });
    expect(edge.connections()).toBe(1);
  });

  it('is cancelled at the api when the client goes away', async () => {
    const cancelled = Promise.withResolvers<string>();
    const edge = await startTestEdge((request, response) => {
      response.write('begun');
      request.socket.once('close', () => cancelled.resolve('cancelled'));
    });
    const answer = await edge.open({});
    answer.destroy();
    expect(await cancelled.promise).toBe('cancelled');
  });

  it('gets an answer that came before its body was read', async () => {
    const edge = await startTestEdge((_request, response) => {
      response.writeHead(413);
      response.end('too large');
    });
    for (let round = 0; round < 20; round++) {
      const answer = await edge.call({ method: 'POST', body: Buffer.alloc(3_000_000) });
      expect(answer).toMatchObject({ status: 413, body: 'too large' });
    }
  });

  it('may name its target in full, as to a proxy; that host then counts', async () => {
    const edge = await startTestEdge((request, response) => response.end(request.url));
    expect((await edge.call({ path: 'http://localhost/x?y', host: 'unknown.test' })).body).toBe('/x?y');
    expect((await edge.call({ path: 'http://unknown.test/x' })).status).toBe(404);
  });
});

describe('while the api restarts', () => {
  it('a request waits, and is answered when the api is back', async () => {
    const edge = await startTestEdge(null);
    const pending = edge.call({ method: 'POST', body: 'kept' });
    await edge.startApi(async (request, response) => {
      response.end(await text(request));
    });
    expect(await pending).toMatchObject({ status: 200, body: 'kept' });
  });

  it('a request also waits when the socket of a killed api is still there', async () => {
    const edge = await startTestEdge((_request, response) => response.end());
    await edge.leaveStaleSocket();
    const pending = edge.call({});
    await edge.startApi((_request, response) => response.end('back'));
    expect((await pending).body).toBe('back');
  });

  it('503 SV002 with Retry-After when it does not come back', async () => {
    const edge = await startTestEdge(null, { holdMs: 100 });
    const answer = await edge.call({});
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'SV002' });
  });

  it('502 SV003, and no second try, when it dies with a change in its hands', async () => {
    let calls = 0;
    const edge = await startTestEdge((request) => {
      calls++;
      request.socket.destroy();
    });
    const answer = await edge.call({ method: 'POST', body: 'change' });
    expect(answer.status).toBe(502);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'SV003' });
    expect(calls).toBe(1);
  });

  it('a question is asked once more when it dies with that in its hands', async () => {
    let calls = 0;
    const edge = await startTestEdge((request, response) => {
      if (calls++ === 0) request.socket.destroy();
      else response.end('answered');
    });
    expect(await edge.call({ method: 'GET' })).toMatchObject({ status: 200, body: 'answered' });
  });

  it('half an answer is never taken for a whole one', async () => {
    const edge = await startTestEdge((_request, response) => {
      response.write('half');
      setImmediate(() => response.destroy());
    });
    await expect(edge.call({})).rejects.toThrow(/aborted|hang up|reset/);
  });
});

describe('what is not for the platform', () => {
  it('404 with a page for a browser', async () => {
    const edge = await startTestEdge(null);
    const answer = await edge.call({ host: 'shop.apps.test', headers: { Accept: 'text/html,*/*' } });
    expect(answer).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(answer.body).toContain('No application lives at this address.');
  });

  it('404 NF001 for a program', async () => {
    const edge = await startTestEdge(null);
    const answer = await edge.call({ host: 'somewhere.test' });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'NF001' });
  });
});

describe('nonsense', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n', 400],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\nConnection: close\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a target of no form', 'GET ftp://localhost/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a tunnel', 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n', 405],
  ])('is answered and not passed on: %s', async (_what, bytes, status) => {
    let calls = 0;
    const edge = await startTestEdge((_request, response) => {
      calls++;
      response.end();
    });
    expect(await edge.sendRaw(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(calls).toBe(0);
  });
});

describe('stopping', () => {
  it('finishes what is under way, and takes nobody new', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const edge = await startTestEdge((_request, response) => held.resolve(response));
    const pending = edge.call({});
    const response = await held.promise;
    const stopped = edge.stop(5000);
    // Who had come before is taken first.
    for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    await expect(edge.call({})).rejects.toThrow(/ECONNREFUSED/);
    response.end('finished');
    expect((await pending).body).toBe('finished');
    await stopped;
  });

  it('cuts what does not end in time', async () => {
    const begun = Promise.withResolvers<void>();
    const edge = await startTestEdge(() => begun.resolve());
    const pending = edge.call({}).catch((error: Error) => error);
    await begun.promise;
    await edge.stop(50);
    expect(await pending).toBeInstanceOf(Error);
  });
});

const echoForwarded: ApiStandIn = ({ headers }, response) => {
  response.end(JSON.stringify([headers['x-forwarded-for'], headers['x-forwarded-proto'], headers['x-forwarded-host']]));
};

/** Waits until a counter has stopped growing. */
async function untilSteady(read: () => number): Promise<void> {
  for (let last = -1; read() !== last || last === 0;) {
    last = read();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
