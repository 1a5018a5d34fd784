import { expect, it } from 'vitest';
import { describeHostileFiles } from '../../testing/hostile-files.ts';
import { LoadFailed } from '../../transfer.ts';
import { describeEachSeries } from './testing/each-series.ts';

describeEachSeries('a file that is not as it should be', (bench) => {
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
    [
      "create table x ();\ndo $$ begin raise exception '%', repeat('x', 2000000); end $$;",
      /^Line 2: The server answers with a message of 20\d{5} bytes/,
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

  describeHostileFiles(() => bench, {
    endsItself: 'create table x (n int);\nselect pg_terminate_backend(pg_backend_pid());',
    asksForMuch: "select repeat('x', 1000) from generate_series(1, 300000);",
  });

  it('leaves nothing behind that lasts', async () => {
    const owner = await bench.database('fine');
    const script = `
      \ufeffset search_path = ''; set statement_timeout = 5000; set no_such_setting = 1; reset all;
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
