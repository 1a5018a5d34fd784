import { Session } from 'node:inspector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../conformance-subject.ts';
import { describeHostileFiles } from '../../testing/hostile-files.ts';
import { LoadFailed } from '../../transfer.ts';
import { openTransferBench, type TransferBench } from './testing/transfer-bench.ts';

/** 40 of them, and none of them a value that is too long. */
const MEGABYTES = Array.from({ length: 40 }, () => "repeat('x', 1000000)").join(', ');

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

  it.each([
    ['answers without end', 'begin not atomic loop select 1; end loop; end', /^Line 3: .* more than 10000 times/],
    [
      'does so as a collation of MySQL has it',
      "begin not atomic loop select 'a' collate utf8mb4_0900_ai_ci; end loop; end",
      /^Line 3: .* more than 10000 times/,
    ],
    ['answers very many columns', `select ${'1,'.repeat(12_000)}1`, /^Line 3: .* more than 10000 columns/],
    ['answers one row of many megabytes', `select ${MEGABYTES}`, /^Line 3: .* larger than 32 MiB/],
  ])('that %s is refused there, and its session ends', async (_what, statement, words) => {
    const owner = await bench.database('victim');
    const failure = bench.load(owner, `create table x (n int);\ndelimiter //\n${statement}//\n`);
    await expect(failure).rejects.toThrow(LoadFailed);
    await expect(failure).rejects.toThrow(words);
    const sessions = `select id from information_schema.processlist where user = '${owner.user}' and command <> 'Killed'`;
    await eventually('no session is left', async () => (await bench.ask(sessions)).length === 0);
    expect(await bench.load(owner, 'insert into x values (1);')).toEqual({ statements: 1, rows: 1 });
  });

  it('whose answers are many, but not without end, is loaded', async () => {
    const owner = await bench.database('victim');
    const many = `begin not atomic for i in 1..9000 do select 1, '${'x'.repeat(1000)}' as \`__proto__\`; end for; end`;
    const wide = `select ${'1,'.repeat(9999)}1`;
    expect(await bench.load(owner, `delimiter //\n${many}//\n${wide}//\n`)).toEqual({ statements: 2, rows: 0 });
  });

  it('has no program made of its names of columns', async () => {
    const owner = await bench.database('victim');
    using inspector = Object.assign(new Session(), { [Symbol.dispose]: () => inspector.disconnect() });
    inspector.connect();
    inspector.post('Debugger.enable');
    // What there was before is told at once.
    let made = 0;
    inspector.on('Debugger.scriptParsed', ({ params: { url } }) => (made += url === '' ? 1 : 0));
    await bench.load(owner, 'select 1 as a_name_of_the_file;');
    expect(made).toBe(0);
    // Where that is not said, the library does.
    await bench.query(owner, 'select 1 as another_name');
    expect(made).toBe(1);
  });

  describeHostileFiles(() => bench, {
    endsItself: "create table x (n int);\nexecute immediate concat('kill connection ', connection_id());",
    asksForMuch: "select repeat('x', 1000) from seq_1_to_300000;",
  });
});
