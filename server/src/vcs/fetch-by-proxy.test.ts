import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../engines/tls/make-certificate.ts';
import { listenRaw, SWITCHING_PROTOCOLS } from '../testing/listen-raw.ts';
import { createHostFetch } from './host-fetch.ts';
import { HostUnavailable } from './vcs-host.ts';

const opened: NetServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) {
    (server as Server).closeAllConnections?.();
    await new Promise((resolve) => void server.close(resolve));
  }
});

async function listen(server: NetServer): Promise<number> {
  opened.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Leads whoever asks for whatever host to the one port, and notes what it is asked for. */
async function startProxy(port: number) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
    response.writeHead(200, { 'x-own': 'y', 'content-encoding': 'gzip' }).end(gzipSync('by the proxy'));
  });
  server.on('connect', (request, socket: Socket) => {
    asked.push(`${request.method} ${request.url}`);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    // Nobody reads on for it when the other end is gone.
    onward.on('error', () => {}).on('close', () => void socket.destroy());
    socket.on('error', () => {}).on('close', () => void onward.destroy());
  });
  return { url: `http://me:pass@127.0.0.1:${await listen(server)}`, asked };
}

const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    const text = `${method} ${url} ${headers.authorization} ${Buffer.concat(chunks).toString()}`;
    if (url === '/old') response.writeHead(307, { location: '/new' }).end();
    else response.writeHead(201, { 'content-type': 'text/plain' }).end(text);
  });
};

describe('a host behind a proxy', () => {
  it('is asked through it, by a tunnel where it speaks https, also where it sends on', async () => {
    const { certificate, key } = await makeCertificate(['git.example.org']);
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, certificate]);
    const proxy = await startProxy(await listen(createTlsServer({ cert: certificate, key }, echo)));
    const ask = createHostFetch({ hostVariables: { HTTPS_PROXY: proxy.url } });
    const request = { method: 'POST', body: 'the body', headers: { authorization: 'Bearer t' } };
    const response = await ask('https://git.example.org/old', request);
    setDefaultCACertificates(before);
    expect([response.status, await response.text()]).toEqual([201, 'POST /new Bearer t the body']);
    expect(proxy.asked).toEqual(['CONNECT git.example.org:443', 'CONNECT git.example.org:443']);
  });

  it('is asked for by its whole address where it speaks http', async () => {
    const proxy = await startProxy(0);
    const response = await createHostFetch({ hostVariables: { http_proxy: proxy.url } })('http://git.example.org/x');
    expect([await response.text(), response.headers.get('x-own')]).toEqual(['by the proxy', 'y']);
    const credential = `Basic ${Buffer.from('me:pass').toString('base64')}`;
    expect(proxy.asked).toEqual([`GET http://git.example.org/x ${credential}`]);
  });

  it.each([
    ['http://git.example.org/', 'http_proxy', SWITCHING_PROTOCOLS, 'does not answer'],
    ['http://git.example.org/', 'http_proxy', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc', 'took too long'],
    ['http://git.example.org/', 'http_proxy', 'HTTP/1.1 200 OK\r\n\r\nabc', 'took too long'],
    ['https://git.example.org/', 'HTTPS_PROXY', '', 'took too long'],
  ])('%s is waited for no longer than it may take, whatever the proxy says', async (url, name, answer, message) => {
    const hostVariables = { [name]: `http://127.0.0.1:${await listenRaw(answer)}` };
    const asked = createHostFetch({ hostVariables, timeoutMs: 1000 })(url, { method: 'POST' });
    await expect(asked).rejects.toThrow(message);
  });

  it('is asked directly where it is exempt', async () => {
    const port = await listen(createServer(echo));
    const proxy = await startProxy(0);
    const hostVariables = { HTTP_PROXY: proxy.url, NO_PROXY: 'localhost,127.0.0.1' };
    const response = await createHostFetch({ hostVariables })(`http://127.0.0.1:${port}/x`);
    expect([response.status, proxy.asked]).toEqual([201, []]);
  });

  it.each([
    ['refuses', (port: number) => `http://me:pass@127.0.0.1:${port}`],
    ['is not there', () => 'http://me:pass@127.0.0.1:1'],
    ['speaks otherwise', () => 'socks5://me:pass@127.0.0.1:1'],
  ])('of which the proxy %s is unavailable, and the message says by what', async (_, proxyAt) => {
    const refusing = createServer().on('connect', (_request, socket: Socket) => {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    const hostVariables = { HTTPS_PROXY: proxyAt(await listen(refusing)) };
    const failure = await createHostFetch({ hostVariables })('https://git.example.org/', { method: 'POST' }).then(
      () => null,
      (error: unknown) => error as HostUnavailable,
    );
    expect(failure).toBeInstanceOf(HostUnavailable);
    expect(failure!.message).toMatch(/git\.example\.org .*proxy/);
    expect(`${failure!.message} ${String(failure!.cause)}`).not.toContain('pass@');
  });
});
