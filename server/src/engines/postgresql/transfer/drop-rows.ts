import type { Socket } from 'node:net';

/** Letter and length. */
const HEAD_BYTES = 5;
/** DataRow, CopyData, NoticeResponse, NotificationResponse. */
const DROPPED = new Set(Buffer.from('DdNA'));

/** An error may tell what a statement raised, however long that is. Clients hold a message until it is whole. */
const LONGEST_KEPT_BYTES = 1024 ** 2;

/** The server is about to say something that nobody wants to hold. */
export class AnswerTooLong extends Error {
  constructor(bytes: number) {
    super(
      `The server answers with a message of ${bytes} bytes, and one may have ${LONGEST_KEPT_BYTES}: let what is raised ` +
        'there say less',
    );
  }
}

/**
 * Takes out of what a server says all that nobody waits for: whatever a file asks, and however much the answer is, it
 * is not held in memory. Throws `AnswerTooLong` at the beginning of one that would be kept and is long.
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
        if (!isDropped && missing > LONGEST_KEPT_BYTES) throw new AnswerTooLong(missing);
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

/**
 * From now on the session on that socket has answers without rows. Between two statements only. It ends with
 * `AnswerTooLong`, which is what the statement fails with then.
 */
export function dropRows(socket: Pick<Socket, 'listeners' | 'off' | 'on' | 'destroy' | 'destroyed'>): void {
  const keep = createRowDropper();
  for (const listener of socket.listeners('data') as ((piece: Buffer) => void)[]) {
    socket.off('data', listener);
    socket.on('data', (piece: Buffer) => {
      if (socket.destroyed) return;
      try {
        const kept = keep(piece);
        if (kept.length > 0) listener(Buffer.concat(kept));
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
  }
}
