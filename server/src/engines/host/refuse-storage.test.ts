import { describe, expect, it } from 'vitest';
import { EngineRefused } from '../engine.ts';
import { refuseStorage } from './refuse-storage.ts';

const errno = (code: string) => Object.assign(new Error(`${code}: words, ftruncate '/home/volume.img'`), { code });

describe('storage that this machine cannot give', () => {
  it.each([
    [errno('EFBIG'), 'This machine cannot give 20 GB of storage: its file system takes no file that large.'],
    [errno('ENOSPC'), 'This machine cannot give 20 GB of storage: its disk is full.'],
    [new Error('xfs_growfs: /home/v: failed'), 'ask its operator'],
  ])('is refused in plain words, with the cause for the log', (cause, words) => {
    const refusal = refuseStorage(20, cause);
    expect(refusal).toBeInstanceOf(EngineRefused);
    expect(refusal.message).toContain(words);
    expect(refusal.message).not.toMatch(/E[A-Z]{4}|\/home/);
    expect(refusal.cause).toBe(cause);
  });
});
