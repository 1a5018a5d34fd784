import type { Socket } from 'node:net';
import { AS_TEXT_BYTES } from './answer-buffers.ts';

const NOTHING = Buffer.alloc(0);

/** Text and bytes with one write. Few bytes are copied; more must stay as they are until they are out. */
export function writeBytes(socket: Socket, text: string, bytes: Buffer): void {
  if (bytes.length <= AS_TEXT_BYTES) {
    const body = bytes.toString('latin1');
    socket.write(text === '' ? body : text + body, 'latin1');
  } else if (text === '') {
    socket.write(bytes);
  } else {
    socket.cork();
    socket.write(text, 'latin1');
    socket.write(bytes);
    socket.uncork();
  }
}

/** Calls back when everything written so far has been taken. */
export function whenWritten(socket: Socket, callback: () => void): void {
  if (socket.writableNeedDrain) socket.once('drain', callback);
  else socket.write(NOTHING, () => callback());
}
