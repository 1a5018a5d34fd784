import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { failureOfDump } from './dump-failure.ts';
import { SCHEMA_LIMITS } from './dump-schema.ts';
import { wasmDump } from './wasm-dump.ts';

/** As npm's says it. */
const wasm = (words: string) =>
  'pg_dump failed with exit code 1. \nError message: ' +
  `invalid binary "/opt/lilac/transfer/wasm-dump-thread.ts": No such file or directory${words}`;

describe('what is told of a failed pg_dump', () => {
  it.each([
    ['pg_dump: error: query failed: ERROR:  no\npg_dump: detail: x', 'query failed: ERROR:  no\npg_dump: detail: x'],
    [
      wasm('wasm-dump-thread.ts: error: query failed: ERROR:  nowasm-dump-thread.ts: detail: x'),
      'query failed: ERROR:  no\npg_dump: detail: x',
    ],
    [wasm('/opt/lilac/transfer/wasm-dump-thread.ts: unrecognized option: x'), 'unrecognized option: x'],
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

  it('is how it began, however long the statement is', () => {
    const words = `pg_dump: error: query failed: ERROR:  out of shared memory\nLOCK TABLE ${'t, '.repeat(9999)}u`;
    const told = failureOfDump(words);
    expect(told).toMatch(/^pg_dump failed: query failed: ERROR: {2}out of shared memory\n.* … .*u$/);
    expect(told.length).toBeLessThan(1100);
  });

  it("is what npm's really says", async () => {
    const { signal } = new AbortController();
    const dump = wasmDump({ home: tmpdir(), port: 1, args: ['--nonsense'], limits: SCHEMA_LIMITS, signal });
    await expect(dump).rejects.toThrow(/^pg_dump failed: unrecognized option: nonsense\n[^/]*$/);
  });
});
