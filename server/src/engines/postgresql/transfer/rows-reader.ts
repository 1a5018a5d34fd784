/** Finds the end of the rows after `COPY … FROM stdin`: a line of `\.` alone. */
export interface RowsReader {
  /** Null: nothing follows. Gives what are rows for certain, and what follows their end, once it has come. */
  push(piece: Buffer | null): { bytes: Buffer; rest: Buffer | null };
}

const NOTHING = Buffer.alloc(0);
const END = Buffer.from(String.raw`\.`);
const [NEWLINE, RETURN] = [10, 13];

export function createRowsReader(): RowsReader {
  let held: Buffer = NOTHING;
  let isLineStart = true;

  return {
    push(piece) {
      const bytes = held.length > 0 ? Buffer.concat([held, piece ?? NOTHING]) : (piece ?? NOTHING);
      held = NOTHING;
      for (let at = bytes.indexOf(END); at !== -1; at = bytes.indexOf(END, at + 1)) {
        if (at > 0 ? bytes[at - 1] !== NEWLINE : !isLineStart) continue;
        const after = at + END.length;
        const lineEnd = bytes[after] === RETURN ? after + 1 : after;
        if (lineEnd >= bytes.length) break;
        if (bytes[lineEnd] === NEWLINE) return { bytes: bytes.subarray(0, at), rest: bytes.subarray(lineEnd + 1) };
      }
      const mark = beginningOfMark(bytes);
      if (!piece) {
        const isEnd = mark !== -1 && bytes.length - mark >= END.length;
        return isEnd ? { bytes: bytes.subarray(0, mark), rest: NOTHING } : { bytes, rest: null };
      }
      const certain = mark === -1 ? bytes : bytes.subarray(0, mark);
      held = mark === -1 ? NOTHING : bytes.subarray(mark);
      if (certain.length > 0) isLineStart = certain.at(-1) === NEWLINE;
      return { bytes: certain, rest: null };
    },
  };

  /** Where the bytes end with something that may become the line: `\`, `\.`, `\.` and a carriage return. */
  function beginningOfMark(bytes: Buffer): number {
    for (let length = 3; length >= 1; length--) {
      const at = bytes.length - length;
      if (at < 0 || (at > 0 ? bytes[at - 1] !== NEWLINE : !isLineStart)) continue;
      if (bytes.subarray(at).equals(BEGINNINGS[length - 1] ?? NOTHING)) return at;
    }
    return -1;
  }
}

const BEGINNINGS = ['\\', '\\.', '\\.\r'].map((text) => Buffer.from(text));
