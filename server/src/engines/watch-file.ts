import { LoadFailed, type LoadOptions } from './transfer.ts';

/** How a file begins that says at its end that this is it. */
export interface FileMark {
  begins: RegExp;
  ends: RegExp;
}

export interface WatchOptions extends LoadOptions {
  marks: readonly FileMark[];
}

export interface WatchedFile {
  pieces: AsyncIterable<Buffer>;
  /** Once all pieces have been read. */
  isCutOff(): boolean;
}

/** Enough to see the marks. */
const MARK_BYTES = 400;
const TOLD_EVERY_BYTES = 1024 ** 2;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Looks at a file as it passes: whether it is SQL text at all, how much has been read, whether it is whole. */
export function watchFile(source: AsyncIterable<Buffer>, { signal, onProgress, marks }: WatchOptions): WatchedFile {
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);

  async function* watch(): AsyncGenerator<Buffer> {
    let bytes = 0;
    let told = 0;
    for await (const piece of source) {
      signal.throwIfAborted();
      if (head.length < MARK_BYTES) head = Buffer.concat([head, piece.subarray(0, MARK_BYTES)]);
      tail = Buffer.concat([tail, piece.subarray(-MARK_BYTES)]).subarray(-MARK_BYTES);
      yield bytes === 0 ? checkBeginning(piece) : piece;
      bytes += piece.length;
      if (bytes - told < TOLD_EVERY_BYTES) continue;
      told = bytes;
      onProgress?.(bytes);
    }
    onProgress?.(bytes);
  }

  return {
    pieces: watch(),
    isCutOff() {
      const mark = marks.find(({ begins }) => begins.test(head.toString('latin1')));
      return mark !== undefined && !mark.ends.test(tail.toString('latin1'));
    },
  };
}

function checkBeginning(piece: Buffer): Buffer {
  const other = whatElse(piece);
  if (other) throw new LoadFailed(`The file cannot be loaded: ${other}.`);
  return piece.subarray(0, 3).equals(BYTE_ORDER_MARK) ? piece.subarray(3) : piece;
}

/** Files that hold no SQL text; null for what may be some. */
function whatElse(head: Buffer): string | null {
  if (head.subarray(0, 5).toString('latin1') === 'PGDMP') {
    return "it is in pg_dump's own format: write it as text, with pg_dump --format=plain";
  }
  if (head[0] === 0x1f && head[1] === 0x8b) return 'it is compressed twice: compress it once, with gzip';
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide) return 'it is in UTF-16: write it in UTF-8, by the option that names a file instead of ">"';
  return null;
}
