import type { Socket } from 'node:net';

/** Letter and length. */
const HEAD_BYTES = 5;
/** DataRow, CopyData, NoticeResponse, NotificationResponse. */
const DROPPED = new Set(Buffer.from('DdNA'));

/**
 * Takes out of what a server says all that nobody waits for: whatever a file asks, and however much the answer is, it
 * is not held in memory.
 */
export function createRowDropper(): (piece: Buffer) => Buffer[] {
  let head = Buffer.alloc(0);
  let missing = 0;
  let isDropped = false;
  return (piece) => {
    const kept: Buffer[] = [];
    for (let at = 0; at < piece.length;) {
      if (missing === 0) {
        const part = piece.subarray(at, at + HEAD_BYTES - head.length);
        head = Buffer.concat([head, part]);
        at += part.length;
        if (head.length < HEAD_BYTES) break;
        isDropped = DROPPED.has(head[0] ?? 0);
        missing = head.readInt32BE(1) - (HEAD_BYTES - 1);
        if (!isDropped) kept.push(head);
        head = Buffer.alloc(0);
        continue;
      }
      const part = piece.subarray(at, at + missing);
      if (!isDropped) kept.push(part);
      missing -= part.length;
      at += part.length;
    }
    return kept;
  };
}

/** From now on the session on that socket has answers without rows. Between two statements only. */
export function dropRows(socket: Pick<Socket, 'listeners' | 'off' | 'on'>): void {
  const keep = createRowDropper();
  for (const listener of socket.listeners('data') as ((piece: Buffer) => void)[]) {
    socket.off('data', listener);
    socket.on('data', (piece: Buffer) => {
      const kept = keep(piece);
      if (kept.length > 0) listener(Buffer.concat(kept));
    });
  }
}
