import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { LoadFailed } from '../../../engines/transfer.ts';

const GZIP = [0x1f, 0x8b];

/** The text of a dump, compressed or not: its first bytes tell. */
export async function* readDump(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const rest = { [Symbol.asyncIterator]: () => chunks };
  if (!GZIP.every((byte, index) => first.value[index] === byte)) {
    yield first.value;
    yield* rest;
    return;
  }
  yield* unpacked(first.value, rest);
}

async function* unpacked(first: Buffer, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  // What goes wrong is told by the one that is read.
  pipeline(joined(first, rest), gunzip).catch(() => {});
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw code.startsWith('Z_') ? new LoadFailed(`The file is damaged or incomplete: ${message}.`) : error;
  }
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield first;
  yield* rest;
}
