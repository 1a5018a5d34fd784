/** Letter and length. */
const HEAD_BYTES = 5;
const READY_FOR_QUERY = 'Z'.charCodeAt(0);

/** Gathers what a server of PostgreSQL says until it has said everything that it was asked. */
export interface ReplyReader {
  push(piece: Uint8Array): void;
  isSettled(): boolean;
  /** Everything since the last time. */
  take(): Uint8Array;
}

export function createReplyReader(): ReplyReader {
  let pieces: Uint8Array[] = [];
  let head = Buffer.alloc(0);
  let missing = 0;
  let isReady = false;

  /** Walks from message to message; of what they hold only the beginnings are looked at. */
  function follow(piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      if (missing > 0) {
        const step = Math.min(missing, piece.length - at);
        missing -= step;
        at += step;
        continue;
      }
      const part = piece.subarray(at, at + HEAD_BYTES - head.length);
      head = Buffer.concat([head, part]);
      at += part.length;
      if (head.length < HEAD_BYTES) return;
      isReady = head[0] === READY_FOR_QUERY;
      missing = head.readInt32BE(1) - (HEAD_BYTES - 1);
      head = Buffer.alloc(0);
    }
  }

  return {
    push(piece) {
      pieces.push(piece);
      follow(piece);
    },
    isSettled: () => isReady && missing === 0 && head.length === 0,
    take() {
      const bytes = Buffer.concat(pieces);
      pieces = [];
      isReady = false;
      return bytes;
    },
  };
}
