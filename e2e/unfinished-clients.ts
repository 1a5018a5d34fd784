import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Target } from './edge-target.ts';

const MANY = 300;

/** Heads, bodies and handshakes that stop in the middle and then only drip, for as long as nobody else is served. */
export async function holdUnfinished(target: Target, othersServed: Promise<unknown>): Promise<void> {
  const server = target.hosts['server.localhost'];
  const beginnings = [
    { port: target.port, bytes: 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ' },
    {
      port: target.port,
      bytes: `POST /echo HTTP/1.1\r\nHost: ${server}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel`,
    },
    { port: target.port, bytes: 'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{' },
    { port: target.tlsPort, bytes: '\x16\x03\x01' },
  ];
  const sockets = Array.from({ length: MANY }, (_, index) => {
    const { port, bytes } = beginnings[index % beginnings.length]!;
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(bytes, 'latin1');
    return socket;
  });
  for (let drop = 0; drop < 3; drop++) {
    await delay(50);
    for (const socket of sockets) if (!socket.destroyed) socket.write('a');
  }
  await othersServed;
  const open = sockets.filter(({ closed }) => !closed);
  await Promise.all(open.map((socket) => once(socket.destroy(), 'close')));
}

/** Heads and handshakes that go on for ever, a byte at a time. They stay until they are sent away. */
export function holdForEver({ port, tlsPort }: Target, count: number): EndlessClients {
  const beginnings = [
    { port, bytes: 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ' },
    { port, bytes: 'GET /' },
    // A record of 512 bytes.
    { port: tlsPort, bytes: '\x16\x03\x01\x02\x00\x01' },
  ];
  const sockets = Array.from({ length: count }, (_, index) => {
    const { port, bytes } = beginnings[index % beginnings.length]!;
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.resume().write(bytes, 'latin1');
    return socket;
  });
  return {
    open: () => sockets.filter(({ closed }) => !closed).length,
    drip() {
      for (const socket of sockets) if (socket.writable) socket.write('a');
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

export interface EndlessClients extends Disposable {
  /** How many have not been sent away. */
  open(): number;
  drip(): void;
}
