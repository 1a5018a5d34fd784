import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { ApiError, createClient, type StreamEvent } from './client.ts';
import { followStream } from './stream-client.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, attempt: number) => void;

/** Something that streams, on a real connection. */
async function startStream(answer: Answer) {
  const asked: { url: string; lastEventId: string | null; accept: string | undefined; authorization?: string }[] = [];
  const server = createServer((request, response) => {
    const { 'last-event-id': lastEventId, accept, authorization } = request.headers;
    asked.push({
      url: request.url!,
      lastEventId: (lastEventId as string) ?? null,
      accept,
      authorization: authorization!,
    });
    answer(request, response, asked.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stopping = new AbortController();
  const client = createClient({ baseUrl, token: () => `token ${asked.length + 1}` });
  const input = { params: { targetOrganisationId: 'org_1', environmentId: 'env_1' }, signal: stopping.signal };
  return { server, baseUrl, asked, stopping, stream: () => client.stream('logs.stream', input) };
}

const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });

const eventOf = (number: number, end = '\n') =>
  [`id: ${number}`, 'event: log', `data: ${JSON.stringify({ message: `é ${number}` })}`, '', ''].join(end);

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message: 'No.', code }));
}

describe('client.stream', () => {
  it('loses nothing and gets nothing twice, wherever the connection is cut', async () => {
    const count = 500;
    const { stream, stopping, asked } = await startStream((request, response) => {
      const from = Number(request.headers['last-event-id'] ?? 0);
      const end = ['\n', '\r\n', '\r'][from % 3]!;
      let text = `retry: 1${end}id: ${from}${end}${end}: ping${end}${end}`;
      for (let number = from + 1; number <= Math.min(from + 20, count); number++) text += eventOf(number, end);
      const bytes = Buffer.from(text);
      const cut = Math.floor(Math.random() * bytes.length);
      const pieceEnd = Math.floor(Math.random() * cut);
      begin(response).write(bytes.subarray(0, pieceEnd));
      setImmediate(() => {
        response.write(bytes.subarray(pieceEnd, cut), () => {
          // Broken off, or ended as if all were said.
          if (cut % 2 === 0) response.destroy();
          else response.end();
        });
      });
    });
    const seen: string[] = [];
    for await (const { id, event, data } of stream()) {
      expect([event, data.message]).toEqual(['log', `é ${id}`]);
      seen.push(id);
      if (seen.length === count) stopping.abort();
    }
    expect(seen).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)));
    expect(asked.length).toBeGreaterThan(20);
  });

  it('goes on after the last place it was told, with or without an event, and asks for the token each time', async () => {
    const { stream, stopping, asked } = await startStream((_request, response, attempt) => {
      begin(response).end(attempt === 1 ? 'retry: 1\n\nid: 41\n\nid: 42\ndata: {"half' : eventOf(42));
    });
    for await (const { id } of stream()) {
      expect(id).toBe('42');
      stopping.abort();
    }
    expect(asked).toMatchObject([
      { lastEventId: null, accept: 'text/event-stream', authorization: 'Bearer token 1' },
      { lastEventId: '41', accept: 'text/event-stream', authorization: 'Bearer token 2' },
    ]);
    expect(asked[0]?.url).toBe('/api/environments/org_1/env_1/logs/stream');
  });

  it('tells any failure of the first connection', async () => {
    for (const [status, code] of [
      [403, 'CA004'],
      [503, 'SV002'],
      [429, 'CA009'],
    ] as const) {
      const { stream } = await startStream((_request, response) => refuse(response, status, code));
      const failure = await firstOf(stream()).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ApiError);
      expect(failure).toMatchObject({ status, code, message: 'No.' });
    }
    const { stream, server } = await startStream(() => {});
    server.close();
    await expect(firstOf(stream())).rejects.toThrow(TypeError);
  });

  it('tells when what answers is no stream', async () => {
    const { stream } = await startStream((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    );
    await expect(firstOf(stream())).rejects.toMatchObject({ message: expect.stringContaining('text/html') as string });
  });

  it('outlasts a platform that restarts, and ends with the refusal when it may no longer read', async () => {
    const { stream, asked } = await startStream((_request, response, attempt) => {
      if (attempt === 1) return void begin(response).end(`retry: 1\n\n${eventOf(1)}`);
      if (attempt === 2) return void response.destroy();
      if (attempt === 3) return refuse(response, 503, 'SV002');
      if (attempt === 4) return refuse(response, 429, 'CA009');
      if (attempt === 5) return void begin(response).end(eventOf(2));
      refuse(response, 401, 'CA002');
    });
    const seen: string[] = [];
    const following = (async () => {
      for await (const { id } of stream()) seen.push(id);
    })();
    await expect(following).rejects.toMatchObject({ status: 401, code: 'CA002' });
    expect(seen).toEqual(['1', '2']);
    expect(asked.map(({ lastEventId }) => lastEventId)).toEqual([null, '1', '1', '1', '1', '2']);
  });

  it('ends without a word when it is aborted: while nothing comes, while it waits to come back, and before', async () => {
    const { stream, stopping } = await startStream((_request, response) => {
      begin(response).write(eventOf(1));
      response.once('close', () => closed++);
    });
    let closed = 0;
    for await (const { id } of stream()) setTimeout(() => stopping.abort(), Number(id));
    await expect.poll(() => closed).toBe(1);
    for await (const _ of stream()) expect.unreachable();
    const waiting = await startStream((_request, response) => {
      begin(response).end('retry: 100000\n\n', () => setTimeout(() => waiting.stopping.abort(), 20));
    });
    for await (const _ of waiting.stream()) expect.unreachable();
    expect(waiting.asked).toHaveLength(1);
  });

  it('closes the connection when nobody reads on', async () => {
    let closed = 0;
    const { stream } = await startStream((_request, response) => {
      begin(response).write(eventOf(1));
      response.once('close', () => closed++);
    });
    await firstOf(stream());
    await expect.poll(() => closed).toBe(1);
  });

  it('comes back when a connection has gone silent', async () => {
    const { baseUrl, stopping, asked } = await startStream((_request, response, attempt) => {
      begin(response).write(`retry: 1\n\n${eventOf(attempt)}`);
    });
    const open = (lastEventId: string, signal: AbortSignal) =>
      fetch(baseUrl, { headers: { 'last-event-id': lastEventId }, signal });
    const seen: string[] = [];
    for await (const { id } of followStream({ open, mayPass: () => false, signal: stopping.signal, silenceMs: 500 })) {
      seen.push(id);
      if (seen.length === 3) stopping.abort();
    }
    expect(seen).toEqual(['1', '2', '3']);
    expect(asked.map(({ lastEventId }) => lastEventId)).toEqual(['', '1', '2']);
    const silent = await startStream(() => {});
    const unanswered = followStream({
      open: (_lastEventId, signal) => fetch(silent.baseUrl, { signal }),
      mayPass: () => true,
      silenceMs: 50,
    });
    await expect(unanswered.next()).rejects.toMatchObject({ cause: new Error('no answer in 0.05 seconds') });
  });

  it('tells when its connection is cut and there again, and not when it ended as streams do', async () => {
    const { baseUrl, stopping } = await startStream((_request, response, attempt) => {
      if (attempt === 2) response.destroy();
      else begin(response).end(`retry: 1\n${eventOf(attempt)}`);
    });
    const told: boolean[] = [];
    const stream = followStream({
      open: (_lastEventId, signal) => fetch(baseUrl, { signal }),
      mayPass: () => true,
      signal: stopping.signal,
      onConnection: (isThere) => told.push(isThere),
    });
    for await (const { id } of stream) if (id === '4') stopping.abort();
    expect(told).toEqual([true, false, true, true]);
  });

  it('holds no connection while nobody reads, and then goes on at once where it was, without a word', async () => {
    let closed = 0;
    const { baseUrl, stopping, asked } = await startStream((_request, response, attempt) => {
      begin(response).write(`retry: 100000\n${eventOf(attempt)}`);
      response.once('close', () => closed++);
    });
    const reader = startReader();
    const told: boolean[] = [];
    const stream = followStream({
      open: (lastEventId, signal) => fetch(baseUrl, { headers: { 'last-event-id': lastEventId }, signal }),
      mayPass: () => false,
      signal: stopping.signal,
      onConnection: (isThere) => told.push(isThere),
      reader,
    });
    expect((await stream.next()).value).toMatchObject({ id: '1' });
    const second = stream.next();
    reader.leave();
    await expect.poll(() => closed).toBe(1);
    expect(asked).toHaveLength(1);
    reader.comeBack();
    expect((await second).value).toMatchObject({ id: '2' });
    expect([asked.map(({ lastEventId }) => lastEventId), told]).toEqual([
      ['', '1'],
      [true, true],
    ]);
    stopping.abort();
    expect((await stream.next()).done).toBe(true);
  });

  it('knows the events of every stream', () => {
    expectTypeOf<StreamEvent<'logs.stream'>['event']>().toEqualTypeOf<'log'>();
    expectTypeOf<StreamEvent<'logs.stream'>['data']['message']>().toBeString();
    const client = createClient({ baseUrl: '' });
    // @ts-expect-error it is no stream
    void (() => client.stream('health.get'));
  });
});

/** Somebody who reads, and can leave. */
function startReader() {
  let leaving = new AbortController();
  let back = Promise.withResolvers<void>();
  back.resolve();
  return {
    present: () => back.promise,
    leaving: () => leaving.signal,
    leave: () => {
      back = Promise.withResolvers<void>();
      leaving.abort();
    },
    comeBack: () => {
      leaving = new AbortController();
      back.resolve();
    },
  };
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}
