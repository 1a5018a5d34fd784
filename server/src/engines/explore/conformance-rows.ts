import { expect, it } from 'vitest';
import type { Cell, Cells, RowsWanted } from '../explorer.ts';
import { allEnd, endOf, endsOf, GOING, type Kit } from './conformance-kit.ts';

type Operator = RowsWanted['filters'][number]['operator'];

const filter = (operator: Operator, value?: Cell, column = 'name'): Partial<RowsWanted> => ({
  filters: [{ column, operator, ...(value !== undefined && { value }) }],
});

/** Tables are shown, and changed row by row. */
export function conformRows(kit: () => Kit): void {
  it('shows tables with their columns', async () => {
    const { create, explorer, dialect } = kit();
    await create('other', { a: dialect.types.id, b: 'varchar(20)', c: dialect.types.json }, ['a', 'b']);
    const found = (await explorer.schema(GOING)).find(({ name }) => name === 'other');
    expect(found?.columns).toMatchObject([
      { name: 'a', nullable: false, default: null, primaryKey: true },
      { name: 'b', type: expect.stringMatching(/var.*\(20\)$/) as string, primaryKey: true },
      { name: 'c', type: dialect.types.json, nullable: true, primaryKey: false },
    ]);
  });

  it('shows one table by its name, as the list has it', async () => {
    const { create, explorer } = kit();
    await create('other', { id: 'int', note: 'varchar(20)' });
    const listed = (await explorer.schema(GOING)).find(({ name }) => name === 'other')!;
    expect(listed.columns).toHaveLength(2);
    expect(await explorer.table({ table: 'other' }, GOING)).toEqual(listed);
    expect(await explorer.table({ table: 'other', schema: listed.schema }, GOING)).toEqual(listed);
    expect(await endOf(explorer.table({ table: 'nowhere' }, GOING))).toBe('no table');
    expect(await endOf(explorer.table({ table: 'other', schema: 'nowhere' }, GOING))).toBe('no table');
  });

  it('tells which values it makes itself', async () => {
    const { explorer, insert, update, write } = kit();
    await write('create table made (id int primary key, n int, twice int generated always as (n * 2) stored)');
    const found = (await explorer.schema(GOING)).find(({ name }) => name === 'made');
    expect(found?.columns.map(({ name, generated }) => [name, generated])).toEqual([
      ['id', false],
      ['n', false],
      ['twice', true],
    ]);
    expect(await insert('made', { id: 1, n: 2 })).toEqual({ id: 1, n: 2, twice: 4 });
    expect(await update('made', { id: 1 }, { n: 3 })).toEqual({ id: 1, n: 3, twice: 6 });
  });

  it('tells views from tables', async () => {
    const { drop, explorer, write } = kit();
    await write('create view seen as select * from place');
    const kinds = (await explorer.schema(GOING)).map(({ name, view }) => [name, view]);
    expect(kinds).toEqual(
      expect.arrayContaining([
        ['place', false],
        ['seen', true],
      ]),
    );
    await drop('seen');
  });

  it('finds tables by their names with their schemas, and says which there are where there is none', async () => {
    const { create, drop, explorer, names, rows } = kit();
    const [{ schema } = { schema: '' }] = await explorer.schema(GOING);
    expect((await rows(`${schema}.place`)).total).toBe(3);
    await create(`${schema}.new`, { id: 'int' });
    expect(await names()).toEqual(['new', 'place']);
    await explorer.changeTable({ operation: 'rename', table: `${schema}.new`, newName: 'renamed' }, GOING);
    await drop(`${schema}.renamed`);
    // A dot may be part of a name, and then it is.
    await create('no schema.of this', { id: 'int' });
    expect((await rows('no schema.of this')).total).toBe(0);
    await drop('no schema.of this');
    await expect(rows('PLACE')).rejects.toThrow(`There is no table "PLACE". There are: ${schema}.place.`);
    await expect(rows('place', { schema: 'nowhere' })).rejects.toThrow(/in the schema "nowhere". There are: /);
  });

  it('filters, sorts and pages', async () => {
    const { rows, write } = kit();
    const ids = async (wanted: Partial<RowsWanted>) => {
      const answer = await rows('place', wanted);
      return { ids: answer.rows.map(({ id }) => id), total: answer.total };
    };
    await write(`insert into place values (4, '100%_!\\\\x'), (5, '1000'), (6, 'ÄÖ')`);
    expect(await ids({})).toEqual({ ids: [1, 2, 3, 4, 5, 6], total: 6 });
    expect(await ids({ offset: 2, limit: 2 })).toEqual({ ids: [3, 4], total: 6 });
    expect(await ids({ offset: 50 })).toEqual({ ids: [], total: 6 });
    expect(await ids({ sortOrder: 'desc', limit: 1 })).toEqual({ ids: [6], total: 6 });
    expect(await ids(filter('=', 'Two'))).toEqual({ ids: [2], total: 1 });
    expect(await ids(filter('!=', 2, 'id'))).toEqual({ ids: [1, 3, 4, 5, 6], total: 5 });
    expect(await ids(filter('<=', '2', 'id'))).toEqual({ ids: [1, 2], total: 2 });
    expect(await ids(filter('is null'))).toEqual({ ids: [3], total: 1 });
    expect((await ids(filter('is not null'))).total).toBe(5);
    expect(await ids(filter('contains', 'tWo'))).toEqual({ ids: [2], total: 1 });
    expect(await ids(filter('contains', 'äö'))).toEqual({ ids: [6], total: 1 });
    for (const plain of ['%', '_', '!', '\\', '0%_']) {
      expect(await ids(filter('contains', plain))).toEqual({ ids: [4], total: 1 });
    }
    expect(await ids(filter('=', `x' or '1'='1`))).toEqual({ ids: [], total: 0 });
    const wrong = [filter('='), filter('=', null), filter('=', 'abc', 'id'), filter('=', { a: 1 }, 'id')];
    expect(await endsOf(wrong, ids)).toEqual(allEnd(wrong, 'refused'));
  });

  it('shows every row once, page by page, with and without a key', async () => {
    const { create, rows, write } = kit();
    await create('loose', { a: 'int', b: 'int' }, []);
    const all = Array.from({ length: 30 }, (_, n) => n);
    await write(`insert into loose values ${all.map((n) => `(${n % 3}, ${n})`).join(', ')}`);
    for (const order of [{}, { sortColumn: 'a' }]) {
      const seen: Cell[] = [];
      for (let offset = 0; offset < 30; offset += 7) {
        const page = await rows('loose', { offset, limit: 7, ...order });
        seen.push(...page.rows.map(({ b }) => b ?? null));
      }
      expect(seen.toSorted((one, other) => Number(one) - Number(other))).toEqual(all);
    }
  });

  it('changes exactly one row, named by its whole key', async () => {
    const { create, insert, update, remove, rows } = kit();
    await create('pair', { a: 'int', b: 'varchar(20)', c: 'int' }, ['a', 'b']);
    await insert('pair', { a: 1, b: 'x', c: 5 });
    await insert('pair', { a: 1, b: 'y', c: 6 });
    expect(await update('pair', { a: 1, b: 'x' }, { c: 7 })).toEqual({ a: 1, b: 'x', c: 7 });
    expect(await update('pair', { a: 1, b: 'x' }, { c: 7 })).toEqual({ a: 1, b: 'x', c: 7 });
    expect(await update('pair', { b: 'x', a: 1 }, { b: 'z' })).toEqual({ a: 1, b: 'z', c: 7 });
    expect(await endOf(update('pair', { a: 2, b: 'x' }, { c: 1 }))).toBe('no row');
    expect(await endOf(remove('pair', { a: 1, b: 'x' }))).toBe('no row');
    const wrong: Cells[] = [{ a: 1 }, { a: 1, b: 'y', c: 6 }, { a: 1, b: null }, {}, { a: '1 or 1=1', b: 'y' }];
    expect(await endsOf(wrong, (key) => remove('pair', key))).toEqual(allEnd(wrong, 'refused'));
    expect(await endsOf(wrong, (key) => update('pair', key, { c: 1 }))).toEqual(allEnd(wrong, 'refused'));
    expect(await endOf(insert('pair', { a: 1, b: 'y', c: 1 }))).toBe('refused');
    expect(await endOf(insert('pair', { a: 'no number', b: 'y' }))).toBe('refused');
    expect(await remove('pair', { a: 1, b: 'z' })).toBeNull();
    expect((await rows('pair')).rows).toEqual([{ a: 1, b: 'y', c: 6 }]);
  });

  it('lets a table without a key be added to only', async () => {
    const { create, insert, remove, rows } = kit();
    await create('loose', { a: 'int' }, []);
    expect(await insert('loose', { a: 1 })).toEqual({ a: 1 });
    expect(await insert('loose', {})).toEqual({ a: null });
    await expect(remove('loose', { a: 1 })).rejects.toThrow(/no primary key/);
    expect((await rows('loose')).total).toBe(2);
  });

  it('keeps values as they are', async () => {
    const { create, insert, rows, read, dialect } = kit();
    const { id, json, bytes } = dialect.types;
    await create('kinds', { id, j: json, b: bytes, d: 'date', n: 'decimal(30,10)', f: 'float' });
    const values = {
      id: '9223372036854775807',
      j: { a: [1, null, { b: 'ü🌷"\\' }] },
      b: String.raw`\x00ff10`,
      d: '2026-02-28',
      n: '12345678901234567890.1000000000',
      f: 0.1,
    };
    expect(await insert('kinds', values)).toEqual(values);
    expect((await rows('kinds')).rows).toEqual([values]);
    expect((await read('select * from kinds')).rows).toEqual([Object.values(values)]);
    const small = { id: 7, j: '[12345678901234567890]', b: null, d: null, n: null, f: null };
    expect(await insert('kinds', small)).toEqual(small);
    expect(await insert('kinds', { ...small, id: 8, j: '"lone"' })).toMatchObject({ j: '"lone"' });
  });
}
