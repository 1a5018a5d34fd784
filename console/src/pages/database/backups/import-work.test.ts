import { describe, expect, it, vi } from 'vitest';
import { chooseDump, importWorkOf, runImport, stopImport } from './import-work.ts';

const closing = new Set<unknown>();
vi.stubGlobal('addEventListener', (_name: string, listener: unknown) => closing.add(listener));
vi.stubGlobal('removeEventListener', (_name: string, listener: unknown) => closing.delete(listener));

const dump = new File(['select 1;'], 'shop.sql');

/** One whose file is sent when the test says so, and that stops when it is told to. */
function startImport(databaseId: string) {
  const begun: string[] = [];
  const sent = Promise.withResolvers<{ uploadId: string }>();
  const progress: ((sentBytes: number, totalBytes: number) => void)[] = [];
  const ended = runImport(databaseId, dump, {
    send: (_file, { onProgress, signal }) => {
      progress.push(onProgress);
      signal.addEventListener('abort', () => sent.reject(signal.reason));
      return sent.promise;
    },
    begin: async (uploadId) => begun.push(uploadId),
  });
  const tellSent = (bytes: number, all: number) => progress[0]!(bytes, all);
  return { begun, ended, tellSent, finish: () => sent.resolve({ uploadId: 'upl_1' }) };
}

describe('an import', () => {
  it('is there after its tab was left, with how far it is and how it went on, for its own database only', async () => {
    const { begun, ended, tellSent, finish } = startImport('db_1');
    tellSent(1, 3);
    expect(importWorkOf('db_1')).toMatchObject({ file: dump, percent: 33 });
    expect(importWorkOf('db_2').percent).toBeNull();
    finish();
    await ended;
    expect(begun).toEqual(['upl_1']);
    expect(importWorkOf('db_1')).toEqual({ file: null, percent: null, error: null, awaitedUploadId: 'upl_1' });
  });

  it('is stopped by whoever comes back to it, and then not begun', async () => {
    const { begun, ended } = startImport('db_1');
    stopImport('db_1');
    await ended;
    expect(begun).toEqual([]);
    expect(importWorkOf('db_1')).toMatchObject({ file: dump, percent: null });
    expect(String(importWorkOf('db_1').error)).toContain('Nothing was imported');
  });

  it('says why it was not begun until another file is chosen', async () => {
    const error = new Error('too large');
    await runImport('db_1', dump, { send: () => Promise.reject(error), begin: async () => {} });
    expect(importWorkOf('db_1')).toMatchObject({ file: dump, error });
    chooseDump('db_1', dump);
    expect(importWorkOf('db_1').error).toBeNull();
  });

  it('has the browser ask whoever closes the page while it is sent, and not after that', async () => {
    const { ended, finish } = startImport('db_1');
    expect(closing.size).toBe(1);
    finish();
    await ended;
    expect(closing.size).toBe(0);
  });
});
