import { describe, expect, it } from 'vitest';
import { beginsLikeReading } from './is-reading.ts';

describe('what begins like a reading', () => {
  it.each([
    'select 1',
    '  SELECT\n1',
    '(select 1) union (select 2)',
    '((values (1)))',
    'with a as (select 1) select * from a',
    '-- why\n# and what\n/* so */ /**/select 1',
    'show tables',
    'explain select 1',
    'desc place',
    'describe place',
    "help 'select'",
    'analyze select 1',
    'ANALYZE format=json (select 1)',
  ])('%j', (text) => expect(beginsLikeReading(text)).toBe(true));

  it.each([
    '',
    'analyze table place',
    'analyze local table place',
    'analyze /* select 1 */ table place',
    'analyze no_write_to_binlog table place persistent for all',
    'analyze update place set id = 1',
    'cache index place in other',
    'load index into cache place',
    'check table place',
    'repair table place',
    'optimize table place',
    'handler place read first',
    'selection',
    'execute immediate "select 1"',
    'set statement max_statement_time = 1 for select 1',
    'call something()',
    'insert into place values (1) returning id',
    '/*! analyze table place */',
    '/*M! select 1 */',
    '/*!50000 cache index */ select 1',
    '-- select 1',
    '/* select 1',
    '--select 1',
    '/* analyze */ update place /* */ select 1',
    '/* /* */ delete */ select 1',
  ])('not %j', (text) => expect(beginsLikeReading(text)).toBe(false));
});
