import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What nobody asked for: Node's client ends the connection then, and tells neither of a response nor of an error. */
export const SWITCHING_PROTOCOLS = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';

/** The port of a server that answers whatever it is asked in this way, until the test is over. */
export async function listenRaw(answer: string | ((socket: Socket) => void)): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => (typeof answer === 'string' ? void socket.write(answer) : answer(socket)));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
