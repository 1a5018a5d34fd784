import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../lib/exec.ts';
import { eventually } from '../../../testing/eventually.ts';
import { CannotBeDumped, LoadFailed, SessionLost } from '../../transfer.ts';
import { connectAsOwner } from '../connect.ts';
import { hasCommitted } from '../has-committed.ts';
import { readMainProcessFile } from '../main-process-file.ts';
import { findPrograms, type PostgresqlPrograms } from '../programs.ts';
import { createPostgresqlTransfer } from './create-transfer.ts';
import { everything } from './testing/everything.ts';
import { firstDifference, inPieces, never, openTransferBench, type TransferBench } from './testing/transfer-bench.ts';
import { wasmDump } from './wasm-dump.ts';

/** Grows, so that a busy machine comes to an end too. */
const FIRST_BETWEEN_CHANGES_MS = 2000;

const found = await findPrograms(null);
const series = [...new Set([found[0], found.at(-1)])].filter((each) => each !== undefined);

describe.each(series)('PostgreSQL $series ($origin)', (programs: PostgresqlPrograms) => {
  let bench: TransferBench;
  beforeAll(async () => {
    bench = await openTransferBench(programs);
  });
  afterAll(() => bench[Symbol.asyncDispose]());

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

  const sessionsOf = (databaseName: string) =>
    bench.ask(`select pid from pg_stat_activity where datname = '${databaseName}'`);

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

  it.runIf(hasNative).each([
    ['rows as COPY', []],
    ['rows as INSERT', ['--inserts']],
    ['what drops what is there first', ['--clean', '--if-exists', '--create']],
    ['what drops it without asking', ['--clean']],
  ])("loads a file of the host's pg_dump: %s", async (_what, options) => {
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
    await bench.load(other, await wasmDump({ home: bench.home, port, args, signal: never }));
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

  describe('a file that is not as it should be', () => {
    it.each([
      ['create table x ();\n\\! touch /tmp/lilac-was-here\n', /^Line 2: \\! is a command to psql/],
      ['create table x ();\n\\copy x from /etc/passwd\n', /^Line 2: \\copy/],
      ['create table x ();\n\\i /etc/passwd\n', /^Line 2: \\i/],
      ['select 1 as a \\gset\n', /^Line 1: \\gset/],
      ['create table x ();\ncommit;\nbegin;\ncreate table y ();\nselect\n  wrong;', /^Line 6: .*wrong/],
      ['create table x ();\nrollback;\ncreate table y ();', /^Line 2: .*cannot undo/],
      ['create table x (n int);\ncopy x from stdin;\n1\n2\nthree\n\\.\n', /^Line 5: .*integer.*three/],
      ['create table x (n int);\ncopy x from stdin;\n1\n', /cut off/],
      ['create table x (n int);\ncopy x from stdin;\n1\t2\n\\.\n', /^Line 3: extra data/],
      ['create table x (n int);\ncopy x from stdin (format binary);\n1\n\\.\n', /^Line 2: rows must be text/],
      ['create table kept ();', /^Line 1: relation "kept" already exists/],
      ["copy kept from '/etc/passwd';", /^Line 1: (permission denied|must be superuser)/],
      ["copy kept from program 'id';", /^Line 1: (permission denied|must be superuser)/],
      ["select pg_read_file('/etc/passwd');", /^Line 1: permission denied/],
      ['create table x (n no_such_type);', /^Line 1: type "no_such_type"/],
      ['create extension nothing_known;\ncreate table x (n known_by_it);', /^Line 2: .*known_by_it.*nothing_known/],
      [
        'create table x ();\ncreate policy p on x\n  to nobody_here;',
        /^Line 2: role "nobody_here" does not exist. There is one account here/,
      ],
      ["set client_encoding = 'LATIN1';", /^Line 1: the file is in LATIN1/],
      ['\\connect one\ncreate table x ();\n\\connect two\n', /^Line 3: the file holds several databases \(one, two\)/],
      ['-- Lilac dump of a PostgreSQL database\ncreate table x ();\n', /cut off/],
      ['--\n-- PostgreSQL database dump\n--\ncreate table x ();\n', /cut off/],
      ['PGDMP\u0001\u000e', /pg_dump --format=plain/],
      [
        'create table p (n int primary key);\ncreate table x (n int references p deferrable initially deferred);\ninsert into x values (1);',
        /foreign key/,
      ],
    ])('%j', async (script, words) => {
      const owner = await bench.database('victim');
      await bench.query(owner, 'create table kept as select 1 as n');
      const failure = bench.load(owner, script);
      await expect(failure).rejects.toThrow(LoadFailed);
      await expect(failure).rejects.toThrow(words);
      expect(
        await bench.query(owner, "select relname from pg_class where relnamespace = 'public'::regnamespace"),
      ).toEqual([{ relname: 'kept' }]);
    });

    it('that ends its own session is told with the line that does', async () => {
      const owner = await bench.database('victim');
      const script = 'create table x (n int);\nselect pg_terminate_backend(pg_backend_pid());';
      const failure = await bench.load(owner, script).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SessionLost);
      expect(failure).toMatchObject({ line: 2 });
    });

    it('cannot fill our memory with what it asks for', async () => {
      const owner = await bench.database('victim');
      const before = process.memoryUsage().rss;
      await bench.load(owner, "select repeat('x', 1000) from generate_series(1, 300000);");
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2);
    });

    it('leaves nothing behind that lasts', async () => {
      const owner = await bench.database('fine');
      const script = `
        \ufeffset search_path = ''; set statement_timeout = 5; set no_such_setting = 1; reset all;
        grant select on all tables in schema public to nobody_here;
        alter default privileges for role nobody_here grant select on tables to nobody_else;
        begin; create table public.x (n int); alter table public.x owner to nobody_here; commit;
        set standard_conforming_strings = off;
        insert into public.x select length('it\\'s;');
      `.trim();
      await bench.load(owner, script);
      expect(await bench.query(owner, 'select n from x')).toEqual([{ n: 5 }]);
    });
  });

  describe('when it is to end', () => {
    it('a dump ends, and so does its session', async () => {
      const owner = await bench.database('one');
      await bench.query(owner, 'create table many as select i, md5(i::text) from generate_series(1, 200000) i');
      const controller = new AbortController();
      // Nobody reads: it waits for ever.
      const dumping = bench.transfer.dump(bench.spec, 'one', new PassThrough(), controller.signal);
      await eventually(
        'rows are copied',
        async () => (await bench.ask("select from pg_stat_activity where query like 'copy %'")).length > 0,
      );
      controller.abort(new Error('no more'));
      await expect(dumping).rejects.toThrow('no more');
      await eventually('no session is left', async () => (await sessionsOf('one')).length === 0);
    });

    it('a dump fails with what it is written to', async () => {
      const owner = await bench.database('one');
      await bench.query(owner, 'create table many as select i, md5(i::text) from generate_series(1, 200000) i');
      let written = 0;
      const full = new Writable({
        write(piece: Buffer, _encoding, callback) {
          written += piece.length;
          callback(written > 1_000_000 ? new Error('no room') : null);
        },
      });
      full.on('error', () => {});
      await expect(bench.transfer.dump(bench.spec, 'one', full, never)).rejects.toThrow(/no room|closed/);
      await eventually('no session is left', async () => (await sessionsOf('one')).length === 0);
    });

    it('a load ends in the middle of a statement, and nothing of it stays', async () => {
      const owner = await bench.database('one');
      const controller = new AbortController();
      const loading = bench.transfer.load(
        bench.spec,
        owner,
        inPieces(Buffer.from('create table x (); select pg_sleep(3600);')),
        { signal: controller.signal },
      );
      await eventually(
        'it is at it',
        async () =>
          (await bench.ask("select from pg_stat_activity where query like '%pg_sleep(3600)%' and datname = 'one'"))
            .length > 0,
      );
      controller.abort(new Error('no more'));
      await expect(loading).rejects.toThrow('no more');
      await eventually('no session is left', async () => (await sessionsOf('one')).length === 0);
      expect(await bench.query(owner, "select to_regclass('x') as x")).toEqual([{ x: null }]);
    });

    it('whoever has locked a table is waited for a while only, and is named then', async () => {
      const owner = await bench.database('one');
      await bench.query(owner, 'create table taken (id int)');
      await using holder = await connectAsOwner(bench.home, owner);
      await holder.client.query('begin; lock table taken');
      const impatient = createPostgresqlTransfer({ ...bench.subject, lockWaitMs: 300 });
      const refused = impatient.dump(bench.spec, 'one', new PassThrough().resume(), never);
      await expect(refused).rejects.toThrow(
        /^Another session has locked (public\.)?taken \(by the session \d+\) for more/,
      );
      await holder.client.query('rollback');
      expect(await bench.dump(owner)).toMatchObject({ tables: 1 });
    });

    it('so is whoever is about to replace a view, for which pg_dump itself would wait without end', async () => {
      const owner = await bench.database('one');
      await bench.query(owner, 'create view seen as select 1 as n');
      await using holder = await connectAsOwner(bench.home, owner);
      await holder.client.query('begin; create or replace view seen as select 2 as n');
      const impatient = createPostgresqlTransfer({ ...bench.subject, lockWaitMs: 300 });
      const refused = impatient.dump(bench.spec, 'one', new PassThrough().resume(), never);
      await expect(refused).rejects.toThrow(/^Another session \(\d+\) has locked (public\.)?seen for more than 0.3 s/);
      await holder.client.query('rollback');
      expect(await bench.dump(owner)).toMatchObject({ tables: 0 });
    });

    it('a load waits a while only for whoever holds what it changes, whatever the file says, and names him', async () => {
      const owner = await bench.database('one');
      await bench.query(owner, 'create table taken (id int)');
      await using holder = await connectAsOwner(bench.home, owner);
      await holder.client.query("set application_name = 'shop'; begin; select from taken");
      const impatient = createPostgresqlTransfer({ ...bench.subject, loadLockWaitMs: 300 });
      const script = Buffer.from('set lock_timeout = 0;\nalter table taken add column n int;');
      const failure = impatient.load(bench.spec, owner, inPieces(script), { signal: never });
      await expect(failure).rejects.toThrow(LoadFailed);
      await expect(failure).rejects.toThrow(
        /^Line 2: .*lock timeout\. Another session .*\d+ \(owner_of_one, shop\), which holds (public\.)?taken\./,
      );
      await holder.client.query('rollback');
    });

    it('a load whose session was killed says that it needs more memory, and one that went with another does not', async () => {
      const owner = await bench.database('one');
      const script = Buffer.from('create table x (n int);\nselect pg_sleep(3600);');
      const load = () =>
        bench.transfer.load(bench.spec, owner, inPieces(script), { signal: never }).catch((error) => error as Error);
      const find = () =>
        bench.ask("select pid from pg_stat_activity where query like '%pg_sleep(3600)%' and datname = 'one'");
      const isSleeping = () => eventually('it is at it', async () => (await find()).length > 0);
      const isBack = () => eventually('it is back', () => bench.ask('select 1').then(Boolean, () => false));
      const killed = load();
      await isSleeping();
      process.kill(Number((await find())[0]!['pid']), 'SIGKILL');
      const failure = await killed;
      expect(failure).toBeInstanceOf(LoadFailed);
      expect(failure).toMatchObject({ message: expect.stringMatching(/^Line 2: .*Choose a larger tier/) as string });
      await isBack();
      const other = load();
      await isSleeping();
      await using bystander = await connectAsOwner(bench.home, owner);
      const { rows } = await bystander.client.query<{ pid: number }>('select pg_backend_pid() as pid');
      process.kill(rows[0]!.pid, 'SIGKILL');
      expect(await other).toBeInstanceOf(SessionLost);
      await isBack();
    });

    it('a row that is too large for the server is refused before it is read', async () => {
      const owner = await bench.database('one');
      await bench.query(owner, 'create table large (b bytea); alter table large alter b set storage external');
      await bench.query(owner, "insert into large select convert_to(repeat('x', 78 * 1024 * 1024), 'UTF8')");
      const refused = bench.dump(owner);
      await expect(refused).rejects.toThrow(CannotBeDumped);
      await expect(refused).rejects.toThrow(/"large" counts for about 156 MB of text, and .* 153 MB/);
      await bench.query(owner, 'update large set b = substr(b, 1, 40 * 1024 * 1024)');
      expect(await bench.dump(owner)).toMatchObject({ rows: 1 });
    });

    it('a server that ended itself over a row is not asked again', async () => {
      const owner = await bench.database('one');
      await bench.query(owner, 'create table many as select i, md5(i::text) from generate_series(1, 200000) i');
      const slow = new PassThrough();
      const dumping = bench.transfer.dump(bench.spec, 'one', slow, never);
      const copying = () => bench.ask("select pid from pg_stat_activity where query like 'copy %'");
      await eventually('rows are copied', async () => (await copying()).length > 0);
      const [session] = await copying();
      process.kill(Number(session!['pid']), 'SIGKILL');
      slow.resume();
      await expect(dumping).rejects.toThrow(CannotBeDumped);
      await eventually('it is back', () => bench.ask('select 1').then(Boolean, () => false));
    });

    it('somebody who waits to change a table is not waited for', async () => {
      const owner = await bench.database('one');
      await bench.query(owner, 'create table many as select i, md5(i::text) from generate_series(1, 200000) i');
      const slow = new PassThrough();
      const dumping = bench.transfer.dump(bench.spec, 'one', slow, never);
      await eventually(
        'rows are copied',
        async () => (await bench.ask("select from pg_stat_activity where query like 'copy %'")).length > 0,
      );
      const altering = bench.query(owner, 'alter table many add column later int');
      await eventually(
        'it waits',
        async () => (await bench.ask("select from pg_stat_activity where wait_event_type = 'Lock'")).length > 0,
      );
      slow.resume();
      expect((await dumping).rows).toBe(200_000);
      await altering;
    });
  });
});
