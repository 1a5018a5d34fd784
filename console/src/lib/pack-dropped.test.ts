import { describe, expect, it } from 'vitest';
import { describeError } from './describe-error.ts';
import { packDropped } from './pack-dropped.ts';
import type { ZipEntry } from './zip-files/zip-files.ts';

const { signal } = new AbortController();
const leftOut = { secrets: [], ignored: [] };
const packing = (files: ZipEntry[], maxBytes = 1e6) => packDropped({ name: 'a', files, leftOut }, { maxBytes, signal });
const told = async (failing: Promise<unknown>) =>
  describeError(
    await failing.then(
      () => null,
      (error: unknown) => error,
    ),
  ).message;

/** As a browser has it once the file was removed. */
class Removed extends Blob {
  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.reject(new DOMException('gone', 'NotFoundError'));
  }
}

describe('packing what was dropped', () => {
  it('gives an archive, or the one that it is', async () => {
    const content = new Blob(['x'.repeat(100)]);
    expect((await packing([{ path: 'a', content }])).size).toBeGreaterThan(20);
    expect(await packDropped({ name: 'a', archive: content }, { maxBytes: 100, signal })).toBe(content);
  });

  it('says what is the matter with the files, and never that the connection is', async () => {
    const content = new Blob(['x']);
    expect(await told(packing([{ path: 'a', content: new Removed() }]))).toContain('changed or removed meanwhile');
    expect(await told(packing(Array.from({ length: 65_536 }, () => ({ path: 'a', content }))))).toContain(
      '65535 files',
    );
    const large = packDropped({ name: 'a', archive: content }, { maxBytes: 0, signal });
    expect(await told(large)).toContain('at most 0 bytes can be uploaded');
  });
});
