import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, it } from 'vitest';
import { startTestEdge, type ApiStandIn } from '../testing/start-test-edge.ts';
import { startSecureEdge } from './tls/testing/start-secure-edge.ts';
import { root } from './tls/testing/test-names.ts';

const CLIENTS = 20;
const FORGED = 'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: evil.test\r\n';

/** Of whom the api was told, in the order of the requests. */
function noteClients(): { api: ApiStandIn; told: (string | undefined)[] } {
  const told: (string | undefined)[] = [];
  const api: ApiStandIn = (request, response) => {
    told.push(request.headers['x-forwarded-for']?.toString());
    response.end();
  };
  return { api, told };
}

/**
 * What is sent is read, and only then is it known that nobody is there: Linux tells no address of such a connection.
 */
async function sendAndReset(socket: Socket, transport: Socket, opened: string, head: string): Promise<void> {
  socket.on('error', () => {});
  await once(socket, opened);
  socket.write(head);
  transport.resetAndDestroy();
  await once(transport, 'close');
}

it.each([
  ['an endpoint', '/api/auth/profile'],
  ['the challenge of an authority', '/.well-known/acme-challenge/one'],
])('who asks for %s and resets the connection at once is not who their header says', async (_what, path) => {
  const { api, told } = noteClients();
  const edge = await startTestEdge(api);
  for (let client = 0; client < CLIENTS; client++) {
    // The edge keeps this connection to the api: the next request goes out in the turn in which it is read.
    await edge.call({});
    const socket = connect(edge.port, '127.0.0.1');
    await sendAndReset(socket, socket, 'connect', `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${FORGED}\r\n`);
  }
  await edge.call({});
  expect(new Set(told)).toEqual(new Set(['127.0.0.1']));
  expect(told.length, 'some did reach the api').toBeGreaterThan(CLIENTS + 1);
});

it('and neither is who does so by https', async () => {
  const { api, told } = noteClients();
  const edge = await startSecureEdge(api);
  for (let client = 0; client < CLIENTS; client++) {
    await edge.get('lilac.test');
    const transport = connect(edge.tlsPort, '127.0.0.1').on('error', () => {});
    const socket = connectTls({ socket: transport, servername: 'lilac.test', ca: root, ALPNProtocols: ['http/1.1'] });
    await sendAndReset(socket, transport, 'secureConnect', `GET / HTTP/1.1\r\nHost: lilac.test\r\n${FORGED}\r\n`);
  }
  await edge.get('lilac.test');
  expect(new Set(told)).toEqual(new Set(['127.0.0.1']));
});
