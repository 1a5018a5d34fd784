import type { FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { ReadBuffers } from '../static/read-buffers.ts';
import type { BlobSlice } from '../static/static-answer.ts';

export interface SendBlob {
  socket: Socket;
  /** Opens the file that holds the whole blob. */
  open: () => Promise<FileHandle>;
  slice: BlobSlice;
  /** The answer's head, to the blank line. */
  head: string;
  buffers: ReadBuffers;
  /** Called when the first of it is there, and nothing is written yet. */
  onBegin: () => void;
  /** Called whenever the client has taken something. */
  onProgress: () => void;
}

/**
 * A large file to a socket: one piece is read when the one before it was taken. Fails before anything
 * is written when the file cannot be opened or is not whole.
 */
export async function sendBlob({ socket, open, slice, head, buffers, onBegin, onProgress }: SendBlob): Promise<void> {
  await using file = await open();
  const { size } = await file.stat();
  if (size !== slice.size) throw new Error(`The blob ${slice.hash} has ${size} bytes instead of ${slice.size}.`);
  const buffer = buffers.take();
  try {
    for (let at = slice.start; at < slice.end;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, slice.end - at), at);
      if (bytesRead === 0) throw new Error(`The blob ${slice.hash} ended early.`);
      if (socket.destroyed) return;
      if (at === slice.start) onBegin();
      socket.cork();
      if (at === slice.start) socket.write(head, 'latin1');
      const taken = writeWhole(socket, buffer.subarray(0, bytesRead));
      socket.uncork();
      await taken;
      onProgress();
      at += bytesRead;
    }
  } finally {
    buffers.giveBack(buffer);
  }
}

/** Resolves when the bytes are out of our hands, so that their buffer may be used again. */
function writeWhole(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
