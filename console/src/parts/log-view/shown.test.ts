import { describe, expect, it } from 'vitest';
import { LogRows } from './rows.ts';
import { ROW_PX, shownOf } from './shown.ts';
import { logOf } from './testing/log-of.ts';

const many = (count: number) => logOf(Array.from({ length: count }, (_, index) => `${index + 1}`.repeat(9)));

describe('the lines that are drawn', () => {
  it.each([
    ['unwrapped', null],
    ['wrapped', 10],
  ])('are those at the end while it is followed, %s, however many came since it was scrolled', (_how, columns) => {
    const log = many(50);
    const rows = new LogRows(columns).update(log);
    log.append(many(5000).lines);
    const shown = shownOf(rows.update(log), { topPx: 400, heightPx: 600, isFollowing: true });
    expect(shown.last).toBe(5050);
    expect(shown.topPx, 'from above the part in sight').toBeLessThan(rows.total * ROW_PX - 600);
    expect(shown.last - shown.first).toBeLessThan(100);
  });

  it('are those in sight otherwise, and none where there are none', () => {
    const rows = new LogRows(null).update(many(5000));
    const sight = { topPx: 2000, heightPx: 600, isFollowing: false };
    const drawnToTheEnd = { firstRow: 0, endRow: Number.POSITIVE_INFINITY };
    expect(shownOf(rows, sight)).toEqual({ first: 80, last: 151, topPx: 1600, ...drawnToTheEnd });
    const nothing = { first: 0, last: 0, topPx: 0, firstRow: 0, endRow: 0 };
    expect(shownOf(new LogRows(null).update(logOf([])), sight)).toEqual(nothing);
  });

  it('are not all rows of one that takes more than are in sight', () => {
    const rows = new LogRows(10).update(logOf(['a', 'b'.repeat(50_000), 'c']));
    const shown = shownOf(rows, { topPx: 2000 * ROW_PX, heightPx: 600, isFollowing: false });
    expect(shown).toEqual({ first: 1, last: 2, topPx: ROW_PX, firstRow: 1979, endRow: 2050 });
  });
});
