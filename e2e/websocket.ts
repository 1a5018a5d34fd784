import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Socket } from 'node:net';

/** A WebSocket to an application, by hand: short text frames only. */
export interface EchoSocket {
  /** Resolves to what comes back. */
  say(text: string): Promise<string>;
  isOpen(): boolean;
  /** The code of the Close frame that the server sent; null while there was none. */
  closeCode(): number | null;
  close(): void;
}

export function openWebSocket(url: string): Promise<EchoSocket> {
  const { host, port } = new URL(url);
  const headers = {
    host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/', headers })
      .once('upgrade', (_answer, socket: Socket) => resolve(echoSocket(socket)))
      .once('response', ({ statusCode }) => reject(new Error(`not upgraded: ${statusCode}`)))
      .once('error', reject)
      .end();
  });
}

function echoSocket(socket: Socket): EchoSocket {
  let isOpen = true;
  let closeCode: number | null = null;
  let held: Buffer = Buffer.alloc(0);
  let waiting: { resolve(text: string): void; reject(error: Error): void } | null = null;
  socket.on('error', () => {});
  socket.on('close', () => {
    isOpen = false;
    waiting?.reject(new Error('the WebSocket was closed'));
  });
  socket.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    while (held.length >= 2 && held.length >= 2 + held[1]!) {
      const [opcode, payload] = [held[0]! & 15, held.subarray(2, 2 + held[1]!)];
      held = held.subarray(2 + held[1]!);
      if (opcode === 8) closeCode = payload.readUInt16BE(0);
      else waiting?.resolve(payload.toString());
    }
  });
  return {
    isOpen: () => isOpen,
    closeCode: () => closeCode,
    close: () => socket.destroy(),
    say(text) {
      const answered = new Promise<string>((resolve, reject) => (waiting = { resolve, reject }));
      const mask = randomBytes(4);
      const payload = Buffer.from(Buffer.from(text).map((byte, at) => byte ^ mask[at % 4]!));
      socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, payload]));
      return answered;
    },
  };
}
