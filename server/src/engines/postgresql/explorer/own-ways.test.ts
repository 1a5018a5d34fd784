import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeDatabase, OWNER, specFor } from '../../conformance-subject.ts';
import { endOf, GOING } from '../../explore/conformance-kit.ts';
import type { Cell, Explorer } from '../../explorer.ts';
import type { ServerSpec } from '../../server.ts';
import { connectAsOwner, connectAsPlatform, homeOf } from '../connect.ts';
import { EXPLORER_ROLE } from '../host-based-access.ts';
import { findPrograms } from '../programs.ts';
import { openPostgresql, type PostgresqlSubject } from '../testing/postgresql-subject.ts';
import { explorePostgresql } from './create-explorer.ts';

describe('the explorer of PostgreSQL in its own ways', async () => {
  const [newest] = await findPrograms(null);
  if (!newest) throw new Error('there is no PostgreSQL here');
  let subject: PostgresqlSubject;
  let spec: ServerSpec;
  let explorer: Explorer;
  beforeAll(async () => {
    subject = await openPostgresql(newest);
    spec = await specFor(subject, 'dbs_ways');
    await makeDatabase(subject, spec);
    explorer = explorePostgresql(subject.host)({ serverId: spec.id, ...OWNER });
  });
  afterAll(() => subject[Symbol.asyncDispose]());
  const run = (text: string, parameters: Cell[] = [], readOnly = false) =>
    explorer.query({ text, parameters, readOnly, queryId: null, maxRows: 10, timeoutMs: 30_000 }, GOING);
  const rows = (table: string, schema?: string) =>
    explorer.rows({ table, ...(schema && { schema }), offset: 0, limit: 9, sortOrder: 'asc', filters: [] }, GOING);

  it('reads and writes arrays and JSON, also as parameters', async () => {
    await run('create table lists (id int primary key, n int[], t text[], j jsonb[], b box[])');
    const values = { id: 1, n: [1, null], t: ['a,b', '"', '\\', '', 'NULL', null], j: [{ a: 1 }], b: null };
    expect(await explorer.changeRow({ operation: 'insert', table: 'lists', values }, GOING)).toEqual(values);
    const { rows: answered, columns } = await run('select $1::jsonb, $2::int[], $3::bool, $4::text', [
      [1, { a: 'x' }],
      [
        [1, 2],
        [3, 4],
      ],
      true,
      null,
    ]);
    expect(answered).toEqual([
      [
        [1, { a: 'x' }],
        [
          [1, 2],
          [3, 4],
        ],
        true,
        null,
      ],
    ]);
    expect(columns.map(({ type }) => type)).toEqual(['jsonb', 'integer[]', 'boolean', 'text']);
  });

  it('rounds no number of an array, and keeps what is in one of JSON', async () => {
    await run('create table exact (id int primary key, n bigint[], d numeric[], j jsonb[])');
    const big = '9007199254740995';
    const values = { id: 1, n: ['7', big], d: [['1.10'], ['12345678901234567890.5']], j: ['[1, 2]', `{"a": ${big}}`] };
    const seen = { ...values, n: [7, big] };
    expect(await explorer.changeRow({ operation: 'insert', table: 'exact', values }, GOING)).toEqual(seen);
    const again = { operation: 'update', table: 'exact', key: { id: 1 }, values: seen } as const;
    expect(await explorer.changeRow(again, GOING)).toEqual(seen);
    expect((await run('select n::text, array_ndims(j) from exact')).rows).toEqual([[`{7,${big}}`, 1]]);
  });

  it('says in which line a mistake is', async () => {
    await expect(run('select 1,\n  2,\n  nothing')).rejects.toThrow(/^Line 3: .*nothing/);
  });

  it('shows views and other schemas, and names what is not there', async () => {
    await run('create schema "other one"');
    await run('create view "other one".looking as select 1 as a');
    expect(await rows('looking', 'other one')).toEqual({ rows: [{ a: 1 }], total: 1 });
    expect(await endOf(rows('looking'))).toBe('no table');
    expect(await endOf(rows('pg_class', 'pg_catalog'))).toBe('no table');
    await explorer.changeTable({ operation: 'drop', schema: 'other one', table: 'looking' }, GOING);
    const columns = [{ name: 'a', type: 'int', nullable: true, primaryKey: false }];
    await expect(
      explorer.changeTable({ operation: 'create', schema: 'nowhere', table: 't', columns }, GOING),
    ).rejects.toThrow(/no schema "nowhere"/);
  });

  it('minds nothing that its customer sets for how values are written', async () => {
    const limits = ['lock', 'transaction', 'idle_session', 'idle_in_transaction_session', 'statement'];
    const settings = ["bytea_output = 'escape'", "datestyle = 'German'", "local_preload_libraries = 'nowhere'"];
    for (const setting of [...settings, ...limits.map((limit) => `${limit}_timeout = 1`)]) {
      await run(`alter role ${OWNER.user} set ${setting}`);
    }
    const { rows: answered } = await run(String.raw`select '\x00ff'::bytea, date '2026-02-28', pg_sleep(0.05)`);
    expect(answered).toEqual([[String.raw`\x00ff`, '2026-02-28', '']]);
    await run(`alter role ${OWNER.user} reset all`);
  });

  it('changes nothing when a trigger turns one row into none, or several answer', async () => {
    await run('create table watched (id int primary key)');
    await run('create function nothing() returns trigger language plpgsql as $$ begin return null; end $$');
    await run('create trigger nothing before insert on watched for each row execute function nothing()');
    const insert = explorer.changeRow({ operation: 'insert', table: 'watched', values: { id: 1 } }, GOING);
    await expect(insert).rejects.toThrow(/0 rows instead of one/);
    await run('create table parent (id int primary key)');
    await run('create table child () inherits (parent)');
    await run('insert into parent values (1)');
    await run('insert into child values (1)');
    const remove = explorer.changeRow({ operation: 'delete', table: 'parent', key: { id: 1 } }, GOING);
    await expect(remove).rejects.toThrow(/2 rows instead of one/);
    expect((await rows('parent')).total).toBe(2);
  });

  it('ends nobody by what is to read only', async () => {
    await using application = await connectAsOwner(await homeOf(subject.host, spec.id), OWNER);
    const { rows: own } = await application.client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const pid = own[0]!.pid;
    for (const end of ['pg_terminate_backend', 'pg_cancel_backend']) {
      expect(await endOf(run(`select ${end}($1)`, [pid], true))).toBe('refused');
      expect(await endOf(run(`select query_to_xml('select ${end}(${pid})', true, true, '')`, [], true))).toBe(
        'refused',
      );
      expect(await endOf(run(`do $$ begin perform ${end}(${pid}); end $$`, [], true))).toBe('refused');
    }
    expect((await application.client.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  });

  it('ends nobody else who reads, while the owner can', async () => {
    const queryId = 'slow one';
    const slow = {
      text: 'select pg_sleep(60)',
      parameters: [],
      readOnly: true,
      queryId,
      maxRows: 1,
      timeoutMs: 60_000,
    };
    const sleeping = endOf(explorer.query(slow, GOING));
    const pids = async () => {
      const text = "select pid from pg_stat_activity where application_name like '%slow one'";
      return (await run(text, [], true)).rows;
    };
    await vi.waitUntil(async () => (await pids()).length === 1, { timeout: 20_000 });
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%slow one'`;
    expect(await endOf(run(end, [], true))).toBe('refused');
    expect(await pids()).toHaveLength(1);
    expect(await explorer.cancel(queryId)).toBe(true);
    expect(await sleeping).toBe('refused');
    await using application = await connectAsOwner(await homeOf(subject.host, spec.id), OWNER);
    await using other = await connectAsOwner(await homeOf(subject.host, spec.id), OWNER);
    const { rows: own } = await other.client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { rows: ended } = await application.client.query('select pg_terminate_backend($1) as ended', [own[0]!.pid]);
    expect(ended).toEqual([{ ended: true }]);
  });

  it('reads what was made or shut meanwhile, and no more when it could read all', async () => {
    await run('create schema newer');
    await run('create table newer.one (n int)');
    await run('create sequence newer.counter');
    const read = (text: string) => endOf(run(text, [], true));
    expect(await read('select n from newer.one')).toBe('taken');
    expect(await read('select last_value from newer.counter')).toBe('taken');
    await run('create view newer.seen as select * from newer.one');
    expect((await run("select 1 from information_schema.tables where table_name = 'seen'", [], true)).rowCount).toBe(1);
    await run(`revoke all on newer.one from ${EXPLORER_ROLE}`);
    await run(`revoke all on schema newer from ${EXPLORER_ROLE}`);
    expect(await read('select n from newer.one')).toBe('taken');
    {
      await using platform = await connectAsPlatform(await homeOf(subject.host, spec.id), OWNER.databaseName);
      await platform.client.query(`grant pg_read_all_data to ${EXPLORER_ROLE}`);
      await platform.client.query('grant execute on function pg_cancel_backend to public');
    }
    await run('create table newer.two (n int)');
    const several = Array.from({ length: 8 }, () => read('select n from newer.two'));
    expect(new Set(await Promise.all(several))).toEqual(new Set(['taken']));
    expect(await read('select rolpassword from pg_authid')).toBe('refused');
    expect(await read('select pg_cancel_backend(0)')).toBe('refused');
    await run('drop schema newer cascade');
  });

  it('waits for nobody who changes a table', async () => {
    await run('create table changing (n int)');
    await using application = await connectAsOwner(await homeOf(subject.host, spec.id), OWNER);
    await application.client.query('begin');
    await application.client.query('alter table changing add column more int');
    expect((await run('select 1', [], true)).rows).toEqual([[1]]);
    await application.client.query('rollback');
    expect(await endOf(run('select n from changing', [], true))).toBe('taken');
    await run('drop table changing');
  });

  it('reads what the owner can, and names mean to it what they mean to him', async () => {
    await run('create schema inner_one');
    await run(`create schema ${OWNER.user}`);
    await run('create table inner_one.hidden (n int)');
    await run('insert into inner_one.hidden values (7)');
    await run('alter table inner_one.hidden enable row level security');
    await run(`create table ${OWNER.user}.hidden (n int)`);
    await run(`alter role ${OWNER.user} set timezone = 'Asia/Tokyo'`);
    const read = async (text: string) => (await run(text, [], true)).rows;
    expect(await read('select count(*) from hidden')).toEqual([[0]]);
    await run(`alter role ${OWNER.user} set search_path = inner_one`);
    expect(await read('select n from hidden')).toEqual([[7]]);
    expect(await read("select timestamptz '2026-01-01 00:00Z'")).toEqual([['2026-01-01 09:00:00+09']]);
    await run(`revoke connect on database ${OWNER.databaseName} from ${EXPLORER_ROLE}`);
    expect(await read('select n from hidden')).toEqual([[7]]);
    await run(`alter role ${OWNER.user} reset all`);
    await run(`drop schema ${OWNER.user} cascade`);
    const [[object]] = (await run("select lo_from_bytea(0, 'large')")).rows as [[number]];
    expect(await read(`select lo_get(${object})`)).toEqual([[String.raw`\x6c61726765`]]);
  });

  it('lets a full database be read and emptied, but not filled', async () => {
    await run('create table filled (id int primary key)');
    await run('insert into filled values (1), (2)');
    await subject.engine.setWritable(spec, false);
    const insert = explorer.changeRow({ operation: 'insert', table: 'filled', values: { id: 3 } }, GOING);
    expect(await endOf(insert)).toBe('refused');
    expect(await endOf(run('insert into filled values (3)'))).toBe('refused');
    expect((await rows('filled')).total).toBe(2);
    await explorer.changeRow({ operation: 'delete', table: 'filled', key: { id: 1 } }, GOING);
    await run('delete from filled where id = 2');
    expect(await endOf(run('delete from filled', [], true))).toBe('refused');
    await run(' TRUNCATE filled');
    await explorer.changeTable({ operation: 'truncate', table: 'filled' }, GOING);
    await explorer.changeTable({ operation: 'drop', table: 'filled' }, GOING);
    await subject.engine.setWritable(spec, true);
  });
});
