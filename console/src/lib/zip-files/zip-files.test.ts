import { buffer } from 'node:stream/consumers';
import { crc32 as crc32OfNode } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { crc32 } from './crc32.ts';
import { zipFiles } from './zip-files.ts';

/** Another's reader, which checks sizes and checksums. */
async function unzip(archive: Blob): Promise<Record<string, string>> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(await archive.arrayBuffer()));
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    files[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString('base64');
  }
  return files;
}

describe('an archive made in the browser', () => {
  it('holds the files byte for byte: squeezable, not squeezable, empty, with strange names', async () => {
    const noise = crypto.getRandomValues(new Uint8Array(5000));
    const files = { 'index.html': Buffer.from('lilac '.repeat(5000)), 'a/b/ü 😀.bin': noise, empty: Buffer.alloc(0) };
    const entries = Object.entries(files).map(([path, bytes]) => ({ path, content: new Blob([bytes]) }));
    const archive = await zipFiles(entries);
    expect(archive.size).toBeLessThan(6000);
    const expected = Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]);
    expect(await unzip(archive)).toEqual(Object.fromEntries(expected));
  });

  it('tells how far it is, and stops when it is told to', async () => {
    const entries = ['a', 'b', 'c'].map((path) => ({ path, content: new Blob([path]) }));
    const stopping = new AbortController();
    const done: number[] = [];
    const onProgress = (files: number) => {
      done.push(files);
      if (files === 2) stopping.abort();
    };
    await expect(zipFiles(entries, { signal: stopping.signal, onProgress })).rejects.toThrow('abort');
    expect(done).toEqual([1, 2]);
  });

  it('has the checksum that everybody has', () => {
    const bytes = crypto.getRandomValues(new Uint8Array(10_000));
    expect(crc32(bytes)).toBe(crc32OfNode(bytes));
  });
});
