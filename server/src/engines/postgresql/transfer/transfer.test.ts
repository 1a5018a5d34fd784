import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { run } from '../../../lib/exec.ts';
import { inPieces, never } from '../../testing/transfer-input.ts';
import { connectAsOwner } from '../connect.ts';
import { hasCommitted } from '../has-committed.ts';
import { readMainProcessFile } from '../main-process-file.ts';
import { SCHEMA_LIMITS } from './dump-schema.ts';
import { describeEachSeries, series } from './testing/each-series.ts';
import { everything } from './testing/everything.ts';
import { firstDifference } from './testing/transfer-bench.ts';
import { wasmDump } from './wasm-dump.ts';

/** Grows, so that a busy machine comes to an end too. */
const FIRST_BETWEEN_CHANGES_MS = 2000;

describeEachSeries('what is dumped and loaded', (bench, programs) => {
  const nativeDump = (databaseName: string, ...options: string[]): Promise<string> => {
    const port = readMainProcessFile(bench.home)?.port;
    return run(
      [
        join(programs.folder, 'pg_dump'),
        '--host=/proc/self/cwd',
        `--port=${port}`,
        '--username=lilac',
        ...options,
        databaseName,
      ],
      { cwd: bench.home, env: { LC_ALL: 'C' } },
    ).then(({ stdout, stderr, exitCode }) => {
      if (exitCode !== 0) throw new Error(stderr);
      return stdout;
    });
  };
  const hasNative = existsSync(join(programs.folder, 'pg_dump'));
  const nativeFiles: [string, string[]][] = [
    ['rows as COPY', []],
    ['rows as INSERT', ['--inserts']],
    ['what drops what is there first', ['--clean', '--if-exists', '--create']],
    ['what drops it without asking', ['--clean']],
  ];

  it('writes everything down, and makes it again for another owner', async () => {
    const [one, other] = [await bench.database('one'), await bench.database('other')];
    await bench.query(one, everything);
    const first = await bench.dump(one);
    expect(first).toMatchObject({ tables: 18, rows: 168 });
    expect(first.text.toString()).toMatch(/\n-- Lilac dump complete: tables=18 rows=168\n$/);
    expect(await bench.load(other, first.text)).toMatchObject({ rows: 168 });
    const second = await bench.dump(other);
    expect(firstDifference(second.text, first.text)).toBeNull();
    if (!hasNative) return;
    const [truth, copy] = [await nativeDump('one', '--no-owner'), await nativeDump('other', '--no-owner')];
    expect(firstDifference(copy, truth)).toBeNull();
  });

  // Those that npm brings have none of their own.
  it.each(hasNative ? nativeFiles : [])("loads a file of the host's pg_dump: %s", async (_what, options) => {
    const [one, other] = [await bench.database('one'), await bench.database('other')];
    await bench.query(one, everything);
    await bench.load(other, await nativeDump('one', ...options));
    expect(firstDifference((await bench.dump(other)).text, (await bench.dump(one)).text)).toBeNull();
  });

  it('loads a file of pg_dump 18, whatever the server is', async () => {
    const [one, other] = [await bench.database('one'), await bench.database('other')];
    await bench.query(one, everything);
    const port = readMainProcessFile(bench.home)?.port ?? 0;
    const args = ['--host=/server', "--dbname=user='lilac' dbname='one' sslmode=disable", '--create', '--clean'];
    await bench.load(other, await wasmDump({ home: bench.home, port, args, limits: SCHEMA_LIMITS, signal: never }));
    expect(firstDifference((await bench.dump(other)).text, (await bench.dump(one)).text)).toBeNull();
  });

  it('puts rows where they belong when they are spread by a hash that differs', async () => {
    const [one, other] = [await bench.database('one'), await bench.database('other')];
    await bench.query(
      one,
      `create type mood as enum ('a', 'b', 'c', 'd', 'e', 'f', 'g');
       create table by_mood (m mood, v int) partition by hash (m);
       create table by_mood_0 partition of by_mood for values with (modulus 3, remainder 0);
       create table by_mood_1 partition of by_mood for values with (modulus 3, remainder 1);
       create table by_mood_2 partition of by_mood for values with (modulus 3, remainder 2);
       insert into by_mood select m, g from unnest(enum_range(null::mood)) m, generate_series(1, 3) g`,
    );
    await bench.load(other, (await bench.dump(one)).text);
    const all = 'select m, v from by_mood order by m, v';
    expect(await bench.query(other, all)).toEqual(await bench.query(one, all));
    expect(await bench.query(other, "select count(*)::int from by_mood where m = 'e'")).toEqual([{ count: 3 }]);
  });

  it('carries many rows and a large object, streamed', async () => {
    const many = programs === series[0] ? 1_000_000 : 100_000;
    const [one, other] = [await bench.database('one'), await bench.database('other')];
    await bench.query(
      one,
      `create table many as select i as id, md5(i::text) as t, i * 1.5 as n from generate_series(1, ${many}) i;
       alter table many add primary key (id);
       create table large (id oid);
       insert into large select lo_from_bytea(0, string_agg(decode(md5(i::text), 'hex'), '')) from generate_series(1, 655360) i`,
    );
    const pipe = new PassThrough();
    const progress: number[] = [];
    const loading = bench.transfer.load(bench.spec, other, pipe, {
      signal: never,
      onProgress: (bytes) => progress.push(bytes),
    });
    const dumped = await bench.transfer.dump(bench.spec, 'one', pipe, never);
    pipe.end();
    expect(dumped).toEqual({ tables: 2, rows: many + 1 });
    expect((await loading).rows).toBe(many + 1);
    expect(progress.length).toBeGreaterThan(10);
    expect(progress).toEqual(progress.toSorted((left, right) => left - right));
    const sums = `select count(*), sum(hashtext(m::text)), (select md5(lo_get(id)) from large) from many m`;
    expect(await bench.query(other, sums)).toEqual(await bench.query(one, sums));
  });

  it('writes a large object that is nearly all holes as what there is of it', async () => {
    const [one, other] = [await bench.database('one'), await bench.database('other')];
    await bench.query(one, "select lo_create(70001); select lo_put(70001, 3000000000000, 'end')");
    const { text } = await bench.dump(one);
    expect(text.length).toBeLessThan(10_000);
    await bench.load(other, text);
    expect(await bench.query(other, 'select lo_get(70001, 2999999999999, 10) as end')).toEqual([
      { end: Buffer.from('\0end') },
    ]);
  });

  it('sees one moment, while others write and change tables', async () => {
    const [one, other] = [await bench.database('one'), await bench.database('other')];
    await bench.query(
      one,
      `create table a (n int); create table b (n int); insert into a values (1000); insert into b values (0);
       create table filler as select i, repeat('x', 100) from generate_series(1, 100000) i`,
    );
    const over = new AbortController();
    const moving = (async () => {
      await using session = await connectAsOwner(bench.home, one);
      for (let changed = 0, betweenMs = FIRST_BETWEEN_CHANGES_MS; !over.signal.aborted;) {
        await session.client.query('begin; update a set n = n - 1; update b set n = n + 1; commit');
        if (performance.now() - changed < betweenMs) continue;
        changed = performance.now();
        betweenMs *= 1.5;
        await session.client.query(`alter table b add column c${Math.floor(changed)} int default 1`);
      }
    })();
    const { text } = await bench.dump(one).finally(() => over.abort());
    await moving;
    await bench.load(other, text);
    expect(await bench.query(other, 'select a.n + b.n as sum from a, b')).toEqual([{ sum: 1000 }]);
  });

  it("finds what a customer's functions do not name in full", async () => {
    const [one, other] = [await bench.database('one'), await bench.database('other')];
    await bench.query(
      one,
      `create table allowed as select i as n from generate_series(1, 10) i;
       create function is_allowed(x int) returns boolean stable language sql as 'select exists (select from allowed where n = x)';
       create table rows (n int, check (is_allowed(n)));
       insert into rows values (1), (2);
       create function twice(x int) returns int immutable language sql as 'select x * 2';
       create function four_times(x int) returns int immutable language plpgsql as 'begin return twice(twice(x)); end';
       ${programs.series < 17 ? 'create index on rows (four_times(n)); create materialized view m as select four_times(n) from rows' : ''}`,
    );
    const { text } = await bench.dump(one);
    await bench.load(other, text);
    expect(firstDifference((await bench.dump(other)).text, text)).toBeNull();
  });

  it('is told to be in before anybody is waited for, and waits for nobody who holds a table', async () => {
    const owner = await bench.database('one');
    await bench.query(owner, 'create table taken (id int)');
    await using holder = await connectAsOwner(bench.home, owner);
    await holder.client.query('begin; lock table taken');
    const told: string[] = [];
    await bench.transfer.load(bench.spec, owner, inPieces(Buffer.from('create table x (n int);')), {
      signal: never,
      onCommitted: async () => void told.push(JSON.stringify(await bench.query(owner, "select to_regclass('x') as x"))),
    });
    expect(told).toEqual(['[{"x":"x"}]']);
    await holder.client.query('rollback');
  });

  it('tells its transaction, by which can be known later how it ended', async () => {
    const owner = await bench.database('one');
    const told: string[] = [];
    const load = (script: string) =>
      bench.transfer.load(bench.spec, owner, inPieces(Buffer.from(script)), {
        signal: never,
        onTransaction: async (id) => {
          expect(await hasCommitted(bench.home, id)).toBe(false);
          told.push(id);
        },
      });
    await load('create table x ();');
    await expect(load('create table x ();')).rejects.toThrow(/already exists/);
    const ends = await Promise.all(told.map((id) => hasCommitted(bench.home, id)));
    expect(ends).toEqual([true, false]);
  });
});
