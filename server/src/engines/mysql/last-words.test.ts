import { describe, expect, it } from 'vitest';
import { isOutOfSpace, lastWordsIn } from './last-words.ts';

const begun = '2026-11-15 17:00:00 0 [Note] Starting MariaDB 10.11.19-MariaDB source revision 0 as process 7';

describe('the last words of a server', () => {
  it('are the errors of its last run', () => {
    const log = [
      begun,
      '2026-11-15 17:00:01 0 [ERROR] of an earlier run',
      begun,
      '2026-11-15 17:00:02 0 [Note] InnoDB: Using io_uring',
      "2026-11-15 17:00:03 0 [ERROR] Can't start server: Bind on TCP/IP port: Address already in use",
      '2026-11-15 17:00:03 0 [ERROR] Aborting',
    ].join('\n');
    expect(lastWordsIn(log)).toBe("Can't start server: Bind on TCP/IP port: Address already in use Aborting");
  });

  it('are what it said last where it named no error', () => {
    expect(lastWordsIn(`${begun}\none\ntwo\nthree\n`)).toBe('two three');
    expect(lastWordsIn('')).toBe('');
  });

  it.each([
    ['InnoDB: preallocating 1480589312 bytes for file ./shop/t.ibd failed with error 28', true],
    ['mariadbd: Disk full (/mnt/tmp/#sql); waiting for someone to free some space... (errno: 28)', true],
    ['[FATAL] InnoDB: Error (Out of disk space) in rollback.', true],
    ['InnoDB: error 283', false],
  ])('tell of a full disk: %s', (words, expected) => {
    expect(isOutOfSpace(words)).toBe(expected);
  });
});
