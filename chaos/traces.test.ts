import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FIRST_UID } from '../server/src/sandbox/uids.ts';
import { listTraces, parseSystemV } from './traces.ts';

it("what System V keeps is found with whose it is, by the kernel's own names", () => {
  const shm = `       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  cgid
       133         51   600                    56 19327 19348      0 2137036931 2137036931 2137036931 2137036931
`;
  expect(parseSystemV('shm', shm)).toEqual([{ name: 'System V shm 51', uid: 2_137_036_931 }]);
  const msg = `       key      msqid perms      cbytes       qnum lspid lrpid   uid   gid
         7          3   600           0          0     0     0 30001 30001
`;
  expect(parseSystemV('msg', msg)).toEqual([{ name: 'System V msg 3', uid: 30_001 }]);
  expect(parseSystemV('sem', '       key      semid perms      nsems   uid\n')).toEqual([]);
});

it.runIf(process.getuid?.() === 0)('a file that a user has left where everybody may write is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-traces-'));
  try {
    chownSync(folder, FIRST_UID, FIRST_UID);
    expect(listTraces()).toContainEqual({ name: folder, uid: FIRST_UID });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
