import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LoadFailed } from '../../../engines/transfer.ts';
import { readDump } from './read-dump.ts';

const text = Buffer.from('select 1;\n'.repeat(200_000));

const inPieces = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
  );

describe('the text of a dump', () => {
  it.each([7, 1000, 65_536])('is the same, compressed or not, in pieces of %s bytes', async (size) => {
    const packed = gzipSync(text);
    expect((await buffer(readDump(inPieces(packed, size)))).equals(text)).toBe(true);
    expect((await buffer(readDump(inPieces(text.subarray(0, 100_000), size)))).equals(text.subarray(0, 100_000))).toBe(
      true,
    );
  });

  it('is nothing where there is nothing', async () => {
    expect(await buffer(readDump(Readable.from([])))).toHaveLength(0);
  });

  it('is the file’s fault when it is cut off or broken', async () => {
    const packed = gzipSync(text);
    await expect(buffer(readDump(inPieces(packed.subarray(0, 500), 100)))).rejects.toThrow(LoadFailed);
    const broken = Buffer.from(packed);
    broken.fill(0, 200, 300);
    await expect(buffer(readDump(inPieces(broken, 100)))).rejects.toThrow(LoadFailed);
  });

  it('leaves its source alone when nobody reads on', async () => {
    for await (const piece of readDump(inPieces(gzipSync(text), 100))) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
  });
});
