import type { Socket } from 'node:net';

export interface ByteBound {
  mostBytes: number;
  /** The server has said more than that, and the session ends. */
  onExceeded: () => void;
}

/** Ends a connection over which more comes than anybody wants to hold: clients keep a message until it is whole. */
export function boundBytes(socket: Socket, { mostBytes, onExceeded }: ByteBound): void {
  let received = 0;
  socket.on('data', (piece: Buffer) => {
    received += piece.length;
    if (received <= mostBytes || socket.destroyed) return;
    onExceeded();
    socket.destroy();
  });
}
