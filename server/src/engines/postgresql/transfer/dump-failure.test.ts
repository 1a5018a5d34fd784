import { describe, expect, it } from 'vitest';
import { failureOfDump } from './dump-failure.ts';

const wasm = (words: string) =>
  `pg_dump failed with exit code 1. \nError message: pg_dump: error: invalid binary "/opt/lilac/transfer/wasm-dump-thread.ts": No such file\n${words}`;

describe('what is told of a failed pg_dump', () => {
  it.each([
    ['pg_dump: error: query failed: ERROR:  no\npg_dump: detail: x', 'query failed: ERROR:  no\npg_dump: detail: x'],
    [wasm('pg_dump: error: query failed: terminating'), 'query failed: terminating'],
    [wasm(''), 'it said nothing'],
    [
      'pg_dump: error: connection to server on socket "/srv/home/x/.s.PGSQL.1" failed',
      'connection to server on socket "…" failed',
    ],
    ['Error: Cannot find module file:///opt/lilac/a.js (at /opt/b.js:1:2)', 'Error: Cannot find module … (at …)'],
    ['pg_dump: error: division 4/2, 4 / 2 /* no */', 'division 4/2, 4 / 2 /* no */'],
    [' ', 'it said nothing'],
  ])('%j', (words, told) => {
    expect(failureOfDump(words)).toBe(`pg_dump failed: ${told}`);
  });
});
