import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeHostileFiles } from '../../testing/hostile-files.ts';
import { LoadFailed } from '../../transfer.ts';
import { openTransferBench, type TransferBench } from './testing/transfer-bench.ts';

let bench: TransferBench;
beforeAll(async () => {
  bench = await openTransferBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

describe('a file that is not as it should be', () => {
  it.each([
    ['create table x (n int);\n\\! touch /tmp/lilac-was-here\n', /^Line 2: \\! is a command to the mysql client/],
    ['system id;\n', /^Line 1: system is a command/],
    ['create table x (n int);\nsource /etc/passwd;', /^Line 2: source/],
    ['tee /tmp/x', /^Line 1: tee/],
    ['select 1\\G', /^Line 1: \\G/],
    ['create table x (n int);\ninsert into x\n  values (1,;', /^Line 3: .*syntax/],
    ['create table kept (n int);', /^Line 1: Table 'kept' already exists/],
    ["load data infile '/etc/passwd' into table kept;", /^Line 1: Access denied/],
    ["load data local infile '/etc/passwd' into table kept;", /^Line 1: /],
    ["select * into outfile '/tmp/x' from kept;", /^Line 1: Access denied/],
    ['create table mysql.x (n int);', /^Line 1: .*denied/],
    [
      'create database a;\nuse a;\ncreate table x (n int);\nuse b;',
      /^Line 4: the file holds several databases \(a, b\)/,
    ],
    ['set names gbk;\ncreate table x (n int);', /^Line 1: the file is in gbk/],
    ["insert into kept values ('a", /cut off/],
    ["create table x (n int);\nxa start 'a';", /^Line 2: transactions that outlive their session/],
    ['-- Lilac dump of a MySQL database\ncreate table x (n int);\n', /cut off/],
    ['create table x (`ü` int);\ninsert into x (`ä`) values (1);', /^Line 2: Unknown column 'ä'/],
  ])('%j', async (script, words) => {
    const owner = await bench.database('victim');
    await bench.query(owner, 'create table kept (n int)');
    const failure = bench.load(owner, script);
    await expect(failure).rejects.toThrow(LoadFailed);
    await expect(failure).rejects.toThrow(words);
  });

  describeHostileFiles(() => bench, {
    endsItself: "create table x (n int);\nexecute immediate concat('kill connection ', connection_id());",
    asksForMuch: "select repeat('x', 1000) from seq_1_to_300000;",
  });
});
