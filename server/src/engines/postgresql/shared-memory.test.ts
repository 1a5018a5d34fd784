import { describe, expect, it } from 'vitest';
import { parseSegments } from './shared-memory.ts';

describe('/proc/sysvipc/shm', () => {
  it('lists segments, by the names of its columns', () => {
    const table =
      '       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  cgid      atime      dtime      ctime                   rss                  swap\n' +
      '   3211265          7   600                    56 10547 10547      6 64720 64720 64720 64720 1763222400          0 1763222400                  4096                     0\n' +
      '-559038737          8   600                    56 10548 10548      0  1000  1000  1000  1000 1763222400          0 1763222400                  4096                     0\n';
    expect(parseSegments(table)).toEqual([
      { key: 3_211_265, id: 7, attached: 6, uid: 64_720 },
      { key: 0xde_ad_be_ef, id: 8, attached: 0, uid: 1000 },
    ]);
    expect(parseSegments('')).toEqual([]);
  });
});
