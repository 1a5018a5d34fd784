import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { InstanceAddress } from '../../../routing/route.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface TestInstance {
  address: InstanceAddress;
  requests: number;
  /** Requests that it has now, and the most it has had at a time. */
  inFlight: number;
  most: number;
  stop(): void;
}

/** A server as an application brings one, and what it has seen. By itself it answers its name. */
export async function startInstance(id: string, handler?: Handler, port = 0): Promise<TestInstance> {
  const server = createServer((request, response) => {
    instance.requests++;
    instance.most = Math.max(instance.most, ++instance.inFlight);
    response.once('close', () => instance.inFlight--);
    if (handler) void handler(request, response);
    else response.end(id);
  });
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = { id, host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const instance: TestInstance = { address, requests: 0, inFlight: 0, most: 0, stop };
  onTestFinished(stop);
  return instance;
}

/** One that gives back what comes through a tunnel. */
export async function startEcho(id: string): Promise<InstanceAddress> {
  const tunnels: Socket[] = [];
  const server = createServer().on('upgrade', (_request, socket: Socket) => {
    tunnels.push(socket);
    socket.on('error', () => {});
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const tunnel of tunnels) tunnel.destroy();
    server.close();
  });
  return { id, host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

/** Where an instance will be, and nobody listens yet. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
