import { expect, it } from 'vitest';
import { describeResult } from './describe-result.ts';

const columns = [{ name: 'id', type: 'integer' }];

it.each([
  ['select 1', { columns, rowCount: 1 }, '1 row'],
  ['select n from many', { columns, rowCount: 1000 }, '1,000 rows'],
  ['select 1 where false', { columns, rowCount: 0 }, '0 rows'],
  ['update item set name = 1', { columns: [], rowCount: 0 }, '0 rows changed'],
  ['-- all of them\n/* really */ DELETE from item', { columns: [], rowCount: 0 }, '0 rows changed'],
  ['create table item (id int)', { columns: [], rowCount: 0 }, 'Done'],
  ['create table other as select 1', { columns: [], rowCount: 3 }, '3 rows changed'],
])('%s with %o is told as: %s', (statement, result, words) =>
  expect(describeResult(result, { statement, readOnly: false })).toBe(words),
);

it('nothing is said to be changed by what may change nothing, though its rows have no columns', () => {
  const ran = { statement: 'select from odd', readOnly: true };
  expect(describeResult({ columns: [], rowCount: 2 }, ran)).toBe('2 rows');
});
