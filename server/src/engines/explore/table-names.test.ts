import { describe, expect, it } from 'vitest';
import { MOST_NAMED, readingsOf, tableMissing } from './table-names.ts';

describe('the name of a table', () => {
  it.each([
    [{ table: 'orders' }, [['public', 'orders']]],
    [
      { table: 'shop.orders' },
      [
        ['public', 'shop.orders'],
        ['shop', 'orders'],
      ],
    ],
    [
      { table: 'a.b.c' },
      [
        ['public', 'a.b.c'],
        ['a', 'b.c'],
      ],
    ],
    [{ table: 'shop.orders', schema: 'x' }, [['x', 'shop.orders']]],
    [{ table: '.orders' }, [['public', '.orders']]],
    [{ table: 'orders.' }, [['public', 'orders.']]],
  ])('%o may mean %o', (wanted, expected) => {
    expect(readingsOf(wanted, 'public').map(({ schema, name }) => [schema, name])).toEqual(expected);
  });

  it('of one that is not there is answered with those that are', () => {
    const known = Array.from({ length: MOST_NAMED + 1 }, (_, index) => ({ schema: 'public', name: `t${index}` }));
    expect(tableMissing({ table: 'x' }, []).message).toBe('There is no table "x": the database has none.');
    expect(tableMissing({ table: 'x', schema: 'y' }, known.slice(0, 2)).message).toBe(
      'There is no table "x" in the schema "y". There are: public.t0, public.t1.',
    );
    expect(tableMissing({ table: 'x' }, known).message).toMatch(/public\.t9 …$/);
    expect(tableMissing({ table: 'a.b.c.d' }, [{ schema: 'a.b', name: 'c.d' }]).message).toBe(
      'There is no table "a.b.c.d". There are: "c.d" in the schema "a.b". Where a name has a dot in it, give the schema ' +
        'by itself: `schema`, or --schema.',
    );
  });
});
