import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, makeDatabase, OWNER, specFor } from '../../conformance-subject.ts';
import { allEnd, endsOf, GOING } from '../../explore/conformance-kit.ts';
import { StatementRefused, type Cell, type Cells, type Explorer, type RowFilter } from '../../explorer.ts';
import { openMysql, type MysqlSubject } from '../testing/mysql-subject.ts';
import { exploreMysql } from './create-explorer.ts';

const wide = (count: number) => `select ${Array.from({ length: count }, (_, index) => index).join(', ')}`;

describe('the explorer of MySQL in its own ways', () => {
  let subject: MysqlSubject;
  let explorer: Explorer;
  beforeAll(async () => {
    subject = await openMysql();
    const spec = await specFor(subject, 'dbs_ways');
    await makeDatabase(subject, spec);
    explorer = exploreMysql(subject.host)({ serverId: spec.id, ...OWNER });
  });
  afterAll(() => subject[Symbol.asyncDispose]());
  const run = (text: string) =>
    explorer.query({ text, parameters: [], readOnly: false, queryId: null, maxRows: 10, timeoutMs: 30_000 }, GOING);
  const insert = (values: Cells) => explorer.changeRow({ operation: 'insert', table: 'flags', values }, GOING);
  const update = (id: Cell, values: Cells) =>
    explorer.changeRow({ operation: 'update', table: 'flags', key: { id }, values }, GOING);
  const idsWhere = async (column: string, operator: RowFilter['operator'], value: Cell) => {
    const filters = [{ column, operator, value }];
    const { rows } = await explorer.rows({ table: 'flags', offset: 0, limit: 9, sortOrder: 'asc', filters }, GOING);
    return rows.map(({ id }) => id);
  };

  it('writes, names and finds bits by the number that it shows', async () => {
    await run('create table flags (id bit(8) primary key, is_on bit(1), wide bit(64))');
    const most = '18446744073709551615';
    expect(await insert({ id: '5', is_on: '1', wide: most })).toEqual({ id: 5, is_on: 1, wide: most });
    expect(await insert({ id: 170, is_on: false, wide: null })).toEqual({ id: 170, is_on: 0, wide: null });
    expect(await update('5', { is_on: '0' })).toMatchObject({ id: 5, is_on: 0 });
    expect(await update(170, { id: '53', is_on: true })).toMatchObject({ id: 53, is_on: 1 });
    expect((await run('select id + 0, is_on + 0 from flags order by id')).rows).toEqual([
      [5, 0],
      [53, 1],
    ]);
    expect(await idsWhere('id', '=', '5')).toEqual([5]);
    expect(await idsWhere('id', '>', 5)).toEqual([53]);
    expect(await idsWhere('id', '<', '300')).toEqual([5, 53]);
    expect(await idsWhere('id', '=', '256')).toEqual([]);
    expect(await idsWhere('id', 'contains', '3')).toEqual([53]);
    expect(await idsWhere('wide', '=', most)).toEqual([5]);
    expect(await idsWhere('wide', '=', '18446744073709551614')).toEqual([]);
    const wrong: Cell[] = ['', 'a', '-1', 1.5, '256', '18446744073709551616', [1], { a: 1 }];
    expect(await endsOf(wrong, (id) => update(5, { id }))).toEqual(allEnd(wrong, 'refused'));
  });

  it('ends a statement that answers without end, or more columns than anybody looks at', async () => {
    await run('create procedure endless() loop select 1; end loop');
    await run('create procedure often() for i in 1..9000 do select i, 2; end for');
    const often = /more than 10000 times/;
    const columns = /more than 10000 columns/;
    for (const [text, words] of [
      ['call endless()', often],
      ['begin not atomic call endless(); end', often],
      [wide(12_000), columns],
      // What is prepared has no columns to tell of.
      [`execute immediate '${wide(70_000)}'`, columns],
    ] as const) {
      const failure = run(text);
      await expect(failure).rejects.toThrow(StatementRefused);
      await expect(failure).rejects.toThrow(words);
    }
    const sessions = `select id from information_schema.processlist where user = '${OWNER.user}' and command <> 'Killed'`;
    await eventually('no session is left', async () => (await subject.ask('dbs_ways', sessions)).length === 0);
    const answer = { columns: [{ name: 'i' }, { name: '2' }], rows: [[1, 2]], rowCount: 1 };
    expect(await run('call often()')).toMatchObject(answer);
    expect((await run(wide(4096))).columns).toHaveLength(4096);
  });
});
