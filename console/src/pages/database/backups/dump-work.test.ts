import { describe, expect, it } from 'vitest';
import { dumpWorkOf, makeDump } from './dump-work.ts';

const dump = { downloadUrl: 'http://127.0.0.1/dump', expiresAt: '2026-01-01T01:00:00Z', size: 7 };

describe('a dump', () => {
  it('is there after its tab was left, for its own database only', async () => {
    const made = makeDump('db_1', async () => dump);
    expect(dumpWorkOf('db_1').begunAtMs).not.toBeNull();
    await made;
    expect(dumpWorkOf('db_1')).toEqual({ begunAtMs: null, dump, error: null });
    expect(dumpWorkOf('db_2').dump).toBeNull();
  });

  it('says why it was not made', async () => {
    const error = new Error('no room');
    await makeDump('db_1', () => Promise.reject(error));
    expect(dumpWorkOf('db_1')).toEqual({ begunAtMs: null, dump: null, error });
  });
});
