import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createLilac, isInvalidInput } from './lilac.ts';
import { refusal, startFakePlatform, type Answers } from './testing/start-fake-platform.ts';

interface Storage extends AsyncDisposable {
  url: string;
  requests: IncomingMessage[];
}

async function startStorage(
  take: (request: IncomingMessage, response: ServerResponse, turn: number) => void,
): Promise<Storage> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => take(request, response, requests.push(request)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/objects/1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const swallow = (request: IncomingMessage, response: ServerResponse) =>
  void request.resume().on('end', () => response.end('{}'));

const reserving = (signedUrl: string): Answers => ({
  '/api/upload/request-url': () => ({ json: { uploadId: 'upl_1', signedUrl } }),
  '/api/upload/complete': ({ body }) => ({ json: { uploadId: body['uploadId'], status: 'ready' } }),
});

const MIB = 1024 * 1024;

describe('upload', () => {
  it('sends the size and the type, and no credential to the signed address', async () => {
    await using storage = await startStorage(swallow);
    await using platform = await startFakePlatform(reserving(storage.url));
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x', headers: { 'x-mine': 'secret' } });
    const told: [number, number][] = [];
    const done = await lilac.upload(new Blob(['0123456789']), { onProgress: (...bytes) => told.push(bytes) });
    expect(done).toMatchObject({ uploadId: 'upl_1', status: 'ready' });
    expect(platform.asked[0]?.body).toEqual({ contentType: 'application/zip', fileSize: 10 });
    const { headers } = storage.requests[0]!;
    expect(headers).toMatchObject({ 'content-type': 'application/zip', 'content-length': '10' });
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('x-mine');
    expect(told.at(-1)).toEqual([10, 10]);
  });

  it('reads no more than is sent: a storage that does not take it holds the source up', async () => {
    let held: Parameters<typeof swallow> | null = null;
    await using storage = await startStorage((request, response) => (held = [request, response]));
    await using platform = await startFakePlatform(reserving(storage.url));
    let made = 0;
    const source = {
      size: 60 * MIB,
      async *stream() {
        for (; made < 60; made++) yield new Uint8Array(MIB);
      },
    };
    const uploading = createLilac({ baseUrl: platform.url, token: 'lc_x' }).upload(source);
    await settled(() => made);
    expect(made).toBeLessThan(20);
    swallow(...held!);
    await uploading;
    expect(made).toBe(60);
  });

  it('says that it was not the platform where a proxy finds an archive too large, and sends it once', async () => {
    await using storage = await startStorage((request, response) => {
      request.resume().on('end', () => response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413</h1>'));
    });
    await using platform = await startFakePlatform(reserving(storage.url));
    const uploading = createLilac({ baseUrl: platform.url, token: 'lc_x' }).upload(new Blob(['0123456789']));
    await expect(uploading).rejects.toMatchObject({
      status: 413,
      message: expect.stringMatching(/^Something between you and the platform answered 413 .* must be raised/),
    });
    expect(storage.requests.length).toBe(1);
  });

  it('sends it again when the connection broke, and takes "it is here already" for success then', async () => {
    await using storage = await startStorage((request, response, turn) => {
      if (turn === 1) request.once('data', () => request.destroy());
      else request.resume().on('end', () => response.writeHead(409).end('{"code":"CF001","message":"here already"}'));
    });
    await using platform = await startFakePlatform(reserving(storage.url));
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    expect(await lilac.upload(new Blob(['0123456789']))).toMatchObject({ status: 'ready' });
    expect(storage.requests).toHaveLength(2);
  });

  it('throws what the platform refuses the bytes with, and completes nothing', async () => {
    await using storage = await startStorage((request, response) => {
      request.resume().on('end', () => response.writeHead(400).end('{"code":"AR001","message":"no zip"}'));
    });
    await using platform = await startFakePlatform(reserving(storage.url));
    const upload = createLilac({ baseUrl: platform.url, token: 'lc_x' }).upload(new Blob(['x']));
    await expect(upload).rejects.toSatisfy(isInvalidInput);
    expect(platform.asked.map(({ path }) => path)).toEqual(['/api/upload/request-url', '/api/upload/cleanup']);
    expect(platform.asked[1]?.body).toEqual({ uploadId: 'upl_1' });
  });

  it('ends at once when it is aborted, also the source', async () => {
    await using storage = await startStorage(() => {});
    await using platform = await startFakePlatform(reserving(storage.url));
    const ending = new AbortController();
    let isClosed = false;
    const source = {
      size: 60 * MIB,
      async *stream() {
        try {
          for (let made = 0; made < 60; made++) yield new Uint8Array(MIB);
        } finally {
          isClosed = true;
        }
      },
    };
    const onProgress = () => ending.abort(new Error('the person left'));
    const upload = createLilac({ baseUrl: platform.url, token: 'lc_x' }).upload(source, {
      onProgress,
      signal: ending.signal,
    });
    await expect(upload).rejects.toThrow('the person left');
    await expect.poll(() => isClosed).toBe(true);
    expect(platform.of('/api/upload/complete')).toEqual([]);
    expect(platform.of('/api/upload/cleanup').map(({ body }) => body)).toEqual([{ uploadId: 'upl_1' }]);
  });

  it('discards what was reserved while it was aborted', async () => {
    const ending = new AbortController();
    const answers = reserving('http://127.0.0.1:9/');
    await using platform = await startFakePlatform({
      ...answers,
      '/api/upload/request-url'(...asked) {
        ending.abort(new Error('the person left'));
        return answers['/api/upload/request-url']!(...asked);
      },
    });
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    await expect(lilac.upload(new Blob(['x']), { signal: ending.signal })).rejects.toThrow('the person left');
    expect(platform.of('/api/upload/cleanup').map(({ body }) => body)).toEqual([{ uploadId: 'upl_1' }]);
    await expect(lilac.upload(new Blob(['x']), { signal: ending.signal })).rejects.toThrow('the person left');
    expect(platform.of('/api/upload/request-url')).toHaveLength(1);
  });

  it('says so when the source has not what it announced', async () => {
    await using storage = await startStorage(swallow);
    await using platform = await startFakePlatform(reserving(storage.url));
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    const short = { size: 10, stream: () => new Blob(['012']).stream() };
    await expect(lilac.upload(short)).rejects.toThrow('the 10 bytes it announced');
    await expect(lilac.upload(new Blob([]))).rejects.toThrow('nothing to upload');
  });

  it('throws the refusal of a reservation as it is', async () => {
    await using platform = await startFakePlatform({ '/api/upload/request-url': () => refusal(413, 'LM002') });
    const upload = createLilac({ baseUrl: platform.url, token: 'lc_x' }).upload(new Blob(['x']));
    await expect(upload).rejects.toMatchObject({ code: 'LM002' });
  });
});

/** Until the number has stayed the same for a while. */
async function settled(read: () => number): Promise<void> {
  for (let before = -1; before !== read() || before === 0;) {
    before = read();
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
