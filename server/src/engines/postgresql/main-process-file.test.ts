import { describe, expect, it } from 'vitest';
import { parseMainProcessFile } from './main-process-file.ts';

describe('postmaster.pid', () => {
  it('tells the port, the shared memory and whether it is ready', () => {
    const text = '4711\n/proc/self/cwd\n1763222400\n15000\n.\n*\n  3211265     32768\nready   \n';
    expect(parseMainProcessFile(text)).toEqual({
      pid: 4711,
      port: 15_000,
      segment: { key: 3_211_265, id: 32_768 },
      isReady: true,
    });
  });

  it('tells less while the server starts', () => {
    expect(parseMainProcessFile('4711\n/proc/self/cwd\n1763222400\n15000\n.\n')).toEqual({
      pid: 4711,
      port: 15_000,
      segment: null,
      isReady: false,
    });
    expect(parseMainProcessFile('')).toEqual({ pid: null, port: null, segment: null, isReady: false });
  });
});
