import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../lib/log.ts';
import { drain } from '../../drain.ts';
import { Front } from '../../front/front.ts';
import { BlobLibrary } from '../../static/blob-library.ts';
import { OpenGate } from './open-gate.ts';

export const HOST = 'Host: app.test\r\n';

/** A front on a real port, with an instance behind it. */
export async function startProxy(instance: Server) {
  const port = await listen(instance);
  const gate = new OpenGate(port);
  const server = createHttpServer();
  server.removeAllListeners('connection');
  const handedOver: Socket[] = [];
  const front = new Front({
    servers: [server],
    httpServer: server,
    maxConnections: 10_000,
    appOf: (host) => (host === 'app.test' ? 'app' : null),
    answers: () => gate,
    blobs: new BlobLibrary({ root: '/nowhere' }),
    handOver: (socket) => void handedOver.push(socket.destroy()),
    describeClient: () => ({ address: '203.0.113.7', protocol: 'http', isFixed: true }),
    refuse: (socket, error) => socket.end(`HTTP/1.1 ${error.status ?? 400} Refused\r\nConnection: close\r\n\r\n`),
    log: silentLog,
  });
  server.on('connection', (socket) => front.take(socket));
  const frontPort = await listen(server);
  onTestFinished(async () => {
    gate.pool.close();
    await drain({ server, front, drainMs: 0 });
    instance.close();
  });
  const openRaw = (bytes: string | Buffer) => {
    const socket = connect({ port: frontPort, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    return socket;
  };
  return {
    gate,
    front,
    server,
    port: frontPort,
    handedOver,
    openRaw,
    sendRaw: (bytes: string | Buffer) => readAll(openRaw(bytes)),
  };
}

/** An instance that reads one whole request head and answers what it is told, byte by byte. */
export function rawInstance(
  onHead: (socket: Socket, head: string, count: number) => void,
): Server & { heads: string[] } {
  const heads: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let seen = '';
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => {
      seen += bytes.toString('latin1');
      for (let end = seen.indexOf('\r\n\r\n'); end >= 0; end = seen.indexOf('\r\n\r\n')) {
        const head = seen.slice(0, end + 4);
        seen = seen.slice(end + 4);
        onHead(socket, head, heads.push(head));
      }
    });
  });
  return Object.assign(server, { heads });
}

/** All that comes until the other side ends; then this side ends too. */
export async function readAll(socket: Socket): Promise<string> {
  const all = await text(socket.setEncoding('latin1'));
  socket.end();
  return all;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
