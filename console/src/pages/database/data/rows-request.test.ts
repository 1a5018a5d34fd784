import { describe, expect, it } from 'vitest';
import { describeFilter, firstRows, isFirst, sortedBy, withFilter, withoutFilter } from './rows-request.ts';

describe('which rows are shown', () => {
  it('a column sorts up, down and not at all', () => {
    const up = sortedBy({ ...firstRows, page: 4 }, 'id');
    expect(up).toEqual({ page: 1, sortColumn: 'id', sortOrder: 'asc', filters: [] });
    const down = sortedBy(up, 'id');
    expect(down.sortOrder).toBe('desc');
    expect(sortedBy(down, 'id')).toStrictEqual(firstRows);
    expect(sortedBy(down, 'name')).toMatchObject({ sortColumn: 'name', sortOrder: 'asc' });
  });

  it('a filter begins with the first page, and has a value only where it needs one', () => {
    const filtered = withFilter({ ...firstRows, page: 3 }, { column: 'a', operator: 'is null', value: 'x' });
    expect(filtered).toStrictEqual({ ...firstRows, filters: [{ column: 'a', operator: 'is null' }] });
    expect(withFilter(firstRows, { column: 'a', operator: '=' }).filters).toEqual([
      { column: 'a', operator: '=', value: '' },
    ]);
    expect(withoutFilter(filtered, 0)).toStrictEqual(firstRows);
  });

  it('what was chosen is told from what is shown at first', () => {
    const chosen = [
      { ...firstRows, page: 2 },
      sortedBy(firstRows, 'id'),
      withFilter(firstRows, { column: 'a', operator: '=' }),
    ];
    expect([firstRows, ...chosen].map(isFirst)).toEqual([true, false, false, false]);
  });

  it('a filter is told in words', () => {
    expect(describeFilter({ column: 'price', operator: '>=', value: '5' })).toBe('price is at least “5”');
    expect(describeFilter({ column: 'gone', operator: 'is not null' })).toBe('gone is not NULL');
  });
});
