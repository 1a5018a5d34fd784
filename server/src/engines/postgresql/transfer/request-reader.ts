/** The length that every message has, after its letter. */
const LENGTH_BYTES = 4;
/** Query, Sync, FunctionCall: the client goes on when they have been answered. */
const ASKING = new Set(Buffer.from('QSF'));

/** Follows what a client of PostgreSQL sends, in pieces of any size. */
export interface RequestReader {
  /** Whether the client waits for an answer after this piece. */
  push(piece: Buffer): boolean;
}

export function createRequestReader(): RequestReader {
  let unread = Buffer.alloc(0);
  let hasBegun = false;
  return {
    push(piece) {
      unread = Buffer.concat([unread, piece]);
      let waits = false;
      for (;;) {
        // The first message has no letter; it is answered with what the server thinks of it.
        const letterBytes = hasBegun ? 1 : 0;
        if (unread.length < letterBytes + LENGTH_BYTES) return waits;
        const end = letterBytes + unread.readInt32BE(letterBytes);
        if (unread.length < end) return waits;
        waits = !hasBegun || ASKING.has(unread[0] ?? 0);
        hasBegun = true;
        unread = unread.subarray(end);
      }
    },
  };
}
