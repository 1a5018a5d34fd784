import { describe, expect, it } from 'vitest';
import { LogRows } from './rows.ts';
import { logOf } from './testing/log-of.ts';

describe('the rows that lines take', () => {
  it('one each where they are not wrapped', () => {
    const rows = new LogRows(null).update(logOf(['a', 'b'.repeat(500), 'c']));
    expect([rows.total, rows.before(2), rows.lineAt(1), rows.lineAt(99), rows.lineAt(-3)]).toEqual([3, 2, 1, 2, 0]);
  });

  it('as many as their letters need where they are', () => {
    const log = logOf(['', 'b'.repeat(25), 'c'.repeat(10), 'd']);
    const rows = new LogRows(10).update(log);
    expect([0, 1, 2, 3, 4].map((index) => rows.before(index))).toEqual([0, 1, 4, 5, 6]);
    expect([0, 1, 3, 4, 5, 9].map((row) => rows.lineAt(row))).toEqual([0, 1, 1, 2, 3, 3]);
    log.append([{ text: 'e'.repeat(11) }]);
    expect(rows.update(log).total).toBe(8);
    log.prepend([{ text: 'f'.repeat(20) }]);
    expect([rows.update(log).total, rows.before(1)]).toEqual([10, 2]);
  });

  it('nothing has none', () => {
    expect([new LogRows(10).update(logOf([])).total, new LogRows(10).update(logOf([])).lineAt(5)]).toEqual([0, 0]);
  });
});
