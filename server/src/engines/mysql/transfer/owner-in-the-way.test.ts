import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { never } from '../../testing/transfer-input.ts';
import { connectAsOwner } from '../connect.ts';
import { createMysqlTransfer } from './create-transfer.ts';
import { openTransferBench, type TransferBench } from './testing/transfer-bench.ts';

let bench: TransferBench;
beforeAll(async () => {
  bench = await openTransferBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const dumpAccounts = () => bench.ask("select user from mysql.global_priv where user like 'lilac_dump%'");

describe('what an owner puts in the way of a dump', () => {
  it('runs nothing of his as the platform, though a view takes the name of a table', async () => {
    const one = await bench.database('one');
    await bench.query(one, 'create table t (id int)');
    await bench.query(one, 'create table later (id int)');
    await bench.query(one, 'create procedure p() select 1');
    await bench.query(
      one,
      `create function f() returns int sql security invoker modifies sql data begin
         update mysql.proc set definer = 'root@localhost' where db = 'one' and name = 'p'; return 1; end`,
    );
    await bench.query(one, 'create sql security invoker view v as select f() as id');
    await using holder = await connectAsOwner(bench.home, one);
    await using renamer = await connectAsOwner(bench.home, one);
    await holder.connection.query('lock tables t write');
    const dumping = bench.dump(one).catch((error: Error) => error);
    const waiting = (info: string) =>
      eventually(`${info} waits`, async () => {
        const rows = await bench.ask(
          `select id from information_schema.processlist where state like 'Waiting for table metadata lock%'
             and info like '${info}%'`,
        );
        return rows.length > 0;
      });
    await waiting('select');
    const renaming = renamer.connection.query('rename table t to t_old, v to t');
    await waiting('rename');
    await holder.connection.query('unlock tables');
    await renaming;
    await dumping;
    expect(await bench.ask("select definer from mysql.proc where db = 'one' and name = 'p'")).toEqual([
      { definer: 'one_owner@localhost' },
    ]);
    expect(await dumpAccounts()).toEqual([]);
  });

  it('is waited for a while only, and is named then', async () => {
    const one = await bench.database('one');
    await bench.query(one, 'create table `ta``ken` (id int)');
    await using holder = await connectAsOwner(bench.home, one);
    await holder.connection.query('lock tables `ta``ken` write');
    const impatient = createMysqlTransfer({ ...bench.subject, lockWaitSeconds: 1 });
    const refused = impatient.dump(bench.spec, 'one', new PassThrough().resume(), never);
    await expect(refused).rejects.toThrow(/^The table ta`ken was locked by another session for more than 1 s/);
    await holder.connection.query('unlock tables');
    expect(await bench.dump(one)).toMatchObject({ tables: 1 });
  });

  it('writes down views that call functions in the name of whoever reads them', async () => {
    const [one, other] = [await bench.database('one'), await bench.database('other')];
    await bench.query(one, 'create function twice(x int) returns int deterministic sql security invoker return x * 2');
    await bench.query(one, 'create sql security invoker view v as select twice(21) as n');
    await bench.load(other, (await bench.dump(one)).text);
    expect(await bench.query(other, 'select n from v')).toEqual([{ n: 42 }]);
  });

  it('has an account only while it is at it, several share it, and one that was left is swept', async () => {
    const one = await bench.database('one');
    await bench.query(one, 'create table t (id int)');
    await Promise.all([bench.dump(one), bench.dump(one), bench.dump(one)]);
    expect(await dumpAccounts()).toEqual([]);
    await bench.ask('create user lilac_dump@localhost');
    await bench.subject.engine.keepAccess(bench.spec);
    expect(await dumpAccounts()).toEqual([]);
  });
});
