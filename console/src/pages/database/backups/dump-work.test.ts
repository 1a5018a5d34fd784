import { describe, expect, it } from 'vitest';
import { forgetPerson } from '../../../lib/person-memory.ts';
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

  it('is not handed to whoever signs in next, not even one that was under way', async () => {
    const made = makeDump('db_1', async () => dump);
    forgetPerson();
    await made;
    expect(dumpWorkOf('db_1').dump).toBeNull();
  });
});
