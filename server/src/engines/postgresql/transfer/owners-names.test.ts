import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { never } from '../../testing/transfer-input.ts';
import { connectAsOwner, connectAsReader } from '../connect.ts';
import { findPrograms, type PostgresqlPrograms } from '../programs.ts';
import { newestAndOldest } from '../testing/postgresql-subject.ts';
import { openReader } from './reader.ts';
import { openTransferBench, type TransferBench } from './testing/transfer-bench.ts';

const series = newestAndOldest(await findPrograms(null));

describe.each(series)('PostgreSQL $series ($origin)', (programs: PostgresqlPrograms) => {
  let bench: TransferBench;
  beforeAll(async () => {
    bench = await openTransferBench(programs);
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  /** The text of a dump that waits for `work` when it has just written `when` for the first time. */
  async function dumpWith(when: string, work: () => Promise<void>): Promise<string> {
    let [text, isDone] = ['', false];
    const take = callbackify(async (piece: Buffer) => {
      text += piece.toString();
      if (isDone || !text.includes(when)) return;
      isDone = true;
      await work();
    });
    const sink = new Writable({
      highWaterMark: 1,
      write: (piece: Buffer, _encoding, callback) => take(piece, callback),
    });
    sink.on('error', () => {});
    await bench.transfer.dump(bench.spec, 'one', sink, never);
    expect(isDone).toBe(true);
    return text;
  }

  it('runs nothing of the owner as superuser, though something else takes the name of a sequence', async () => {
    const one = await bench.database('one');
    await bench.query(
      one,
      `create table t as select 1 as n;
       create sequence s; select setval('s', 42, false);
       create type ty as (x int);
       create function f(ty) returns text language plpgsql as
         $$ begin execute 'alter role "${one.user}" superuser'; return '1'; end $$;
       create cast (ty as text) with function f(ty)`,
    );
    await using owner = await connectAsOwner(bench.home, one);
    let renaming: Promise<unknown> = Promise.resolve();
    const text = await dumpWith('\\.\n', async () => {
      expect(
        await bench.ask(
          `select usename::text as name from pg_stat_activity join pg_roles on rolname = usename
           where datname = 'one' and rolsuper`,
        ),
      ).toEqual([]);
      await owner.client.query(
        `begin; alter sequence s rename to s_old; create table s (last_value ty, is_called bool);
         insert into s values (row(1), true)`,
      );
      renaming = eventually(
        'the dump waits for the sequence',
        async () => (await bench.ask('select from pg_locks where not granted', 'one')).length > 0,
      ).then(() => owner.client.query('commit'));
    });
    await renaming;
    expect(text).toContain(`SELECT pg_catalog.setval('"public"."s"', 42, false);`);
    expect(await bench.ask(`select rolsuper from pg_roles where rolname = '${one.user}'`)).toEqual([
      { rolsuper: false },
    ]);
  });

  it('comes in although the owner has sent the reader away', async () => {
    const one = await bench.database('one');
    await bench.query(one, 'create table t as select 1 as n');
    expect((await bench.dump(one)).rows).toBe(1);
    await bench.query(one, 'revoke all on database one from lilac_reader; revoke all on t from public');
    expect((await bench.dump(one)).rows).toBe(1);
  });

  it('waits where clients have every place', async () => {
    const one = await bench.database('one');
    await bench.query(one, 'create table t as select 1 as n');
    expect((await bench.dump(one)).rows).toBe(1);
    await using owner = await connectAsOwner(bench.home, one);
    await owner.client.query('alter database one connection limit 1');
    const opening = openReader(bench.home, 'one', { signal: never });
    await expect(connectAsReader(bench.home, 'one')).rejects.toThrow(/too many connections/);
    await owner.client.query('alter database one connection limit -1');
    await using reader = await opening;
    expect((await reader.client.query('select n from public.t')).rows).toEqual([{ n: 1 }]);
    await expect(reader.client.query('create temporary table x ()')).rejects.toThrow(/denied|read-only/);
  });

  it.each([
    ['once', ['swap']],
    ['and back again', ['swap', 'swap']],
  ])('puts no rows under another table when schemas swap their names: %s', async (_what, swaps) => {
    const one = await bench.database('one');
    await bench.query(
      one,
      `create schema a; create schema b;
       create table a.t as select 'of a' as s; create table b.t as select 'of b' as s`,
    );
    const swap = 'alter schema a rename to c; alter schema b rename to a; alter schema c rename to b';
    const outcome = await dumpWith('COPY "a"."t"', async () => {
      for (const _swap of swaps) await bench.query(one, swap);
    }).catch((error: Error) => error.message);
    // What was begun under names that are no more may be refused, and may not be wrong.
    expect(outcome).toMatch(
      /^Schemas of the database were renamed|COPY "a"."t" \("s"\) FROM stdin;\nof a\n.*COPY "b"."t" \("s"\) FROM stdin;\nof b\n/s,
    );
    const { text } = await bench.dump(one);
    const isSwapped = swaps.length === 1;
    expect(text.toString()).toContain(`COPY "a"."t" ("s") FROM stdin;\nof ${isSwapped ? 'b' : 'a'}\n`);
  });
});
