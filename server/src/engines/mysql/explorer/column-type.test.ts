import { expect, it } from 'vitest';
import { readColumnType } from './column-type.ts';

it('takes types with what belongs to them', () => {
  const types = [
    'int',
    'BIGINT(20) UNSIGNED auto_increment',
    'double precision',
    'decimal(10, 2)',
    "enum('a', 'it''s', 'x); drop table t; --')",
    'varchar(200) character set utf8mb4 collate utf8mb4_bin',
    ' json ',
  ];
  for (const type of types) expect(readColumnType(type)).toBe(type.trim());
});

it('takes nothing else', () => {
  const others = [
    '',
    'nonsense',
    'int, b int',
    'int default 5',
    'int primary key',
    'int comment',
    'int -- ',
    'int #',
    'int /* */',
    'varchar(20',
    'varchar(20))',
    String.raw`enum('a\', ' ')`,
    "enum('a') as (1)",
    'enum("a")',
    'int collate x y',
    'int references t',
    'int\0',
  ];
  for (const type of others) expect(() => readColumnType(type)).toThrow(/is no type/);
});
