import { PassThrough, Readable } from 'node:stream';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL, makeDatabase, OWNER, refuses, specFor, type TestClient } from '../conformance-subject.ts';
import { eventually } from '../../testing/eventually.ts';
import { EngineRefused } from '../engine.ts';
import type { AccessRules, ServerSpec } from '../server.ts';
import { exploreMysql } from './explorer/create-explorer.ts';
import { findPrograms } from './programs.ts';
import { createMysqlTransfer } from './transfer/create-transfer.ts';
import { openMysql, type MysqlSubject } from './testing/mysql-subject.ts';

const { programs } = await findPrograms();

const made = [
  'create table orders (id int primary key, at int)',
  'create procedure how_many() select count(*) from orders',
  'create function seven() returns int return 7',
  'create view all_orders as select id, at from orders',
  'create trigger order_at before insert on orders for each row set new.at = seven()',
  'create event sweep on schedule every 1 day do delete from orders',
];

async function textsOf(client: TestClient): Promise<unknown[]> {
  const routines = await client.query(
    'select routine_definition as text from information_schema.routines where routine_schema = database() order by 1 desc',
  );
  const shown = ['view all_orders', 'trigger order_at', 'event sweep'].map(async (what) =>
    JSON.stringify(await client.query(`show create ${what}`)),
  );
  return [...routines.map(({ text }) => text), ...(await Promise.all(shown))];
}

const importing = () => Promise.reject(new Error('An import is under way.'));

describe.runIf(programs)('who may do what with MariaDB', () => {
  let subject: MysqlSubject;
  let spec: ServerSpec;
  beforeAll(async () => {
    subject = await openMysql();
    spec = await specFor(subject, 'dbs_access', { size: { memoryMb: 614, cpus: 1, storageGb: 1 } });
    await makeDatabase(subject, spec);
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  const admit = (access: Partial<AccessRules>) =>
    subject.engine.setAccess({ ...spec, access: { ...LOCAL, ...access } });
  const from = (address: string): Promise<TestClient> => subject.connect({ ...OWNER, port: spec.port, from: address });
  const six = (): Promise<TestClient> => subject.connect({ ...OWNER, port: spec.port, host: '::1' });
  const accountsNow = async () => {
    const rows = await subject.ask(spec.id, `select host from mysql.global_priv where user = '${OWNER.user}'`);
    return rows.map((row) => String(row['host'])).toSorted();
  };

  it('the owner of a database does not get into another whose name only looks alike', async () => {
    const owner = { databaseName: 'my_shop', user: 'bob', password: 'password-of-bob' };
    await subject.engine.createDatabase(spec, owner);
    await subject.ask(spec.id, 'create database myXshop');
    await using client = await subject.connect({ ...owner, port: spec.port });
    const shown = (await client.query('show databases')).map(({ Database: name }) => name);
    expect(shown).toEqual(['information_schema', 'my_shop', 'mysql']);
    // Where the texts of routines are, and nothing else of the server's own.
    expect(await client.query('show tables from mysql')).toEqual([{ Tables_in_mysql: 'proc' }]);
    await expect(client.query('delete from mysql.proc')).rejects.toThrow(/denied/);
    await expect(client.query('use myXshop')).rejects.toThrow(/denied/);
  });

  it('puts no table outside its volume', async () => {
    await using client = await from('127.0.0.1');
    for (const engine of ['innodb', 'aria', 'myisam']) {
      await refuses(client.query(`create table ${engine}_outside (n int) engine = ${engine} data directory = '/tmp'`));
    }
    expect(readdirSync('/tmp').filter((name) => name.includes('outside') || name === OWNER.databaseName)).toEqual([]);
  });

  it('nobody comes as the platform, nor as anybody else that is no customer', async () => {
    for (const user of ['root', 'lilac_replication', 'mariadb.sys', '']) {
      const attempt = subject.connect({ ...OWNER, user, password: '', port: spec.port });
      await expect(attempt).rejects.toThrow(/denied|not allowed/);
    }
    const asRoot = subject.engine.createDatabase(spec, { ...OWNER, user: 'root' });
    await expect(asRoot).rejects.toThrow(/the platform's own/);
  });

  it('the platform gets in when its customer has used up all that he may', async () => {
    const clients: TestClient[] = [];
    const refusal = await (async () => {
      for (;;) clients.push(await from('127.0.0.1'));
    })().catch((error: Error) => error.message);
    expect(refusal).toMatch(/max_user_connections/);
    expect(await subject.engine.probe(spec, 5000)).toEqual({ isPrimary: true, isWritable: true });
    expect((await subject.engine.usage(spec)).connections).toBe(clients.length);
    const { dump } = createMysqlTransfer(subject);
    const dumped = dump(spec, OWNER.databaseName, new PassThrough().resume(), new AbortController().signal);
    expect(await dumped).toHaveProperty('rows');
    for (const client of clients) await client[Symbol.asyncDispose]();
  });

  it('comes by IPv6 from where it may', async () => {
    await expect(six()).rejects.toThrow(/denied|not allowed/);
    await admit({ networks: ['::1/128'] });
    await using client = await six();
    expect(await client.query('select 1 as n')).toEqual([{ n: 1 }]);
    await admit({ networks: ['2001:db8:7::/48', '198.51.100.0/24'] });
    await client.ended;
    await expect(six()).rejects.toThrow(/denied|not allowed/);
    await admit({ networks: ['::/0'] });
    await using _again = await six();
    await admit({});
  });

  it('keeps no password in plain text', async () => {
    const rows = await subject.ask(spec.id, 'select priv from mysql.global_priv');
    expect(rows.map((row) => String(row['priv'])).join(' ')).not.toContain(OWNER.password);
  });

  it('access that is as it was ends nobody, and writes nothing', async () => {
    await using client = await from('127.0.0.5');
    const names = "'Com_create_user', 'Com_alter_user', 'Com_drop_user', 'Com_grant', 'Com_kill'";
    const changes = () => subject.ask(spec.id, `show global status where variable_name in (${names})`);
    const before = await changes();
    await admit({});
    await subject.engine.start(spec);
    expect(await changes()).toEqual(before);
    expect(await client.query('select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('of networks that lie in one another the rules decide, not the order of accounts', async () => {
    await admit({ instanceNetworks: ['127.0.0.96/27'], ownAddresses: ['127.0.0.100'] });
    await using _ninety = await from('127.0.0.99');
    await expect(from('127.0.0.100')).rejects.toThrow(/locked|denied/);
    await expect(from('127.0.0.95')).rejects.toThrow(/not allowed|denied/);
    await admit({ instanceNetworks: ['127.0.0.0/8', '127.0.0.96/27'], ownAddresses: ['127.0.0.100', '127.0.0.9'] });
    for (const address of ['127.0.0.99', '127.0.0.95', '127.200.0.1']) {
      await using client = await from(address);
      expect(await client.query('select 1 as n')).toEqual([{ n: 1 }]);
    }
    for (const address of ['127.0.0.100', '127.0.0.9']) await expect(from(address)).rejects.toThrow(/locked|denied/);
    await admit({});
  });

  it('what was made from a network that may come no more still works', async () => {
    await admit({ instanceNetworks: ['127.0.0.16/28'] });
    const account = '127.000.000.016/255.255.255.240';
    {
      await using maker = await from('127.0.0.20');
      await maker.query('create table sums (id int primary key, at int)');
      await maker.query('create view all_sums as select * from sums');
      await maker.query('create trigger sum_at before insert on sums for each row set new.at = 7');
    }
    await admit({ instanceNetworks: ['127.0.0.32/28'] });
    await expect(from('127.0.0.20')).rejects.toThrow(/locked|denied/);
    {
      await using reader = await from('127.0.0.40');
      await reader.query('insert into sums (id) values (1)');
      expect(await reader.query('select * from all_sums')).toEqual([{ id: 1, at: 7 }]);
    }
    // The same addresses again, as a part of more: its account lets in what the rules do.
    await admit({});
    expect(await accountsNow()).toContain(account);
    await using again = await from('127.0.0.20');
    await again.query('drop view all_sums');
    await again.query('drop table sums');
    await admit({ instanceNetworks: ['127.0.0.0/9'] });
    expect(await accountsNow()).not.toContain(account);
    await admit({});
  });

  it('the owner reads, calls and changes what an import made, from any network and after another one', async () => {
    const { dump, load } = createMysqlTransfer(subject);
    const never = new AbortController().signal;
    {
      await using maker = await from('127.0.0.5');
      for (const statement of made) await maker.query(statement);
    }
    const text = new PassThrough();
    const pieces = text.toArray() as Promise<Buffer[]>;
    await dump(spec, OWNER.databaseName, text, never);
    text.end();
    await subject.engine.empty(spec, OWNER);
    await load(spec, OWNER, Readable.from(await pieces), { signal: never });
    for (const networks of [[], ['127.0.0.0/24'], ['127.0.0.4/30']]) {
      await admit(networks.length > 0 ? { instanceNetworks: networks } : {});
      await using client = await from('127.0.0.5');
      expect(await textsOf(client)).toEqual([
        'select count(*) from orders',
        'return 7',
        expect.stringContaining('orders'),
        expect.stringContaining('set new.at = seven()'),
        expect.stringContaining('delete from orders'),
      ]);
      await client.query('insert into orders (id) values (1)');
      expect(await client.query('select * from all_orders')).toEqual([{ id: 1, at: 7 }]);
      expect((await client.query('call how_many()'))[0]).toEqual({ 0: { 'count(*)': 1 } });
      await client.query("alter procedure how_many comment 'ours'");
      await client.query('create or replace view all_orders as select * from orders');
      await client.query('alter event sweep disable');
      await client.query('delete from orders');
    }
    await subject.engine.empty(spec, OWNER);
    await admit({});
  });

  it('a database that is emptied while nobody may come lets nobody in afterwards', async () => {
    const closed = { ...spec, access: { networks: [], instanceNetworks: [], ownAddresses: [] } };
    {
      await using maker = await from('127.0.0.5');
      await maker.query('create table seen_by (n int)');
      await maker.query('create view seen as select * from seen_by');
    }
    await subject.engine.setAccess(closed);
    await subject.engine.empty(closed, OWNER);
    await expect(from('127.0.0.5')).rejects.toThrow(/locked|denied|not allowed/);
    await admit({});
    await using _again = await from('127.0.0.5');
  });

  it('a network that MariaDB cannot hold is refused, and nothing changes', async () => {
    const before = await accountsNow();
    await expect(admit({ networks: ['2001:db8::/48'] })).rejects.toThrow(/cannot be limited to the network/);
    expect(await accountsNow()).toEqual(before);
  });

  it('the brake holds whoever comes from new networks, and when the database is made again', async () => {
    {
      await using before = await from('127.0.0.5');
      await before.query('create table big (n int)');
    }
    await subject.engine.setWritable(spec, false);
    await admit({ instanceNetworks: ['127.0.0.0/24'] });
    await subject.engine.createDatabase(spec, OWNER);
    {
      await using braked = await from('127.0.0.5');
      for (const statement of [
        'insert into big values (1)',
        'update big set n = 1',
        'create table more (n int)',
        'create temporary table aside (n int)',
        'alter table big add column m int',
        'create view seen as select 1',
      ]) {
        await expect(braked.query(statement)).rejects.toThrow(/denied/);
      }
      await braked.query('delete from big');
      await braked.query('truncate table big');
      await subject.engine.setWritable(spec, true);
      await braked.ended;
    }
    await using after = await from('127.0.0.5');
    await after.query('insert into big values (1)');
    await after.query('drop table big');
    await expect(after.query('set global read_only = on')).rejects.toThrow(/denied/);
    await admit({});
  });

  it('what runs in the explorer ends when nobody is to be let in, and whoever comes later can be told so', async () => {
    const never = new AbortController().signal;
    const statement = {
      text: 'select sleep(60)',
      parameters: [],
      readOnly: false,
      queryId: null,
      maxRows: 1,
      timeoutMs: 30_000,
    };
    const explore = exploreMysql(subject.host);
    const access = { serverId: spec.id, ...OWNER };
    const running = explore(access).query(statement, never);
    running.catch(() => {});
    const sleeping = "select id from information_schema.processlist where info like 'select sleep(60)%'";
    await eventually('it runs', async () => (await subject.ask(spec.id, sleeping)).length > 0);
    await subject.engine.setAccess({ ...spec, access: { networks: [], instanceNetworks: [], ownAddresses: [] } });
    await expect(running).rejects.toThrow(EngineRefused);
    expect(await subject.ask(spec.id, sleeping)).toEqual([]);
    const late = explore({ ...access, onceIn: importing }).schema(never);
    await expect(late).rejects.toThrow('An import is under way.');
    await admit({});
  });
});
