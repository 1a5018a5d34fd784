import { describe, expect, it } from 'vitest';
import { linesAskedFor, LogSearch, nextMatch } from './search.ts';
import { logOf } from './testing/log-of.ts';

describe('looking for a text', () => {
  it('finds lines in either case, by their numbers, and those that come later', () => {
    const log = logOf(['Error: a', 'fine', '\u001B[31mer\u001B[1mror\u001B[0m b']);
    const search = new LogSearch('ERROR');
    expect(search.update(log)).toEqual([1, 3]);
    log.append([{ text: 'an error' }]);
    expect(search.update(log)).toEqual([1, 3, 4]);
    log.prepend([{ text: 'error' }]);
    expect(search.update(log)).toEqual([0, 1, 3, 4]);
  });

  it('takes every letter as itself', () => {
    expect(new LogSearch('a.b(*)').update(logOf(['a.b(*)', 'axb()']))).toEqual([1]);
    expect(new LogSearch('').update(logOf(['a']))).toEqual([]);
  });

  it('goes to the next and the one before, around the ends', () => {
    expect([0, 3, 9].map((number) => nextMatch([3, 7, 9], number, 1))).toEqual([3, 7, 3]);
    expect([7, 3].map((number) => nextMatch([3, 7, 9], number, -1))).toEqual([3, 9]);
    expect(nextMatch([], 1, 1)).toBeNull();
  });

  it('a colon asks for lines', () => {
    expect([':12', ' :3-9 ', '12', ':x'].map(linesAskedFor)).toEqual(['#L12', '#L3-L9', null, null]);
  });
});
