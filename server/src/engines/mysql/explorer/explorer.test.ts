import { escapeId } from 'mysql2';
import type { RowDataPacket } from 'mysql2/promise';
import { OWNER } from '../../conformance-subject.ts';
import { describeExplorer } from '../../explore/conformance.ts';
import { homeOf } from '../../host/places-of.ts';
import { connectAsPlatform } from '../connect.ts';
import { openMysql } from '../testing/mysql-subject.ts';
import { exploreMysql } from './create-explorer.ts';

const dialect = {
  types: { id: 'bigint', json: 'json', bytes: 'blob', text: 'longtext' },
  quoted: (name: string) => escapeId(name, true),
  parameter: '?',
  sleep: (seconds: number) => `select sleep(${seconds})`,
  manyRows: (count: number) => `select seq from seq_1_to_${count}`,
  giant: "select repeat('x', 30000000), repeat('y', 30000000)",
  sideEffects: [
    'commit',
    'rollback',
    'start transaction read write',
    'set session transaction read write',
    'set @@session.tx_read_only = 0',
    'insert into place values (7, null)',
    'insert into place values (7, null) returning id',
    'delete from place returning id',
    'replace into place values (1, null)',
    'analyze update place set name = 7',
    'explain delete from place',
    'select * from place for update',
    'create table evil (id int)',
    'create temporary table evil (id int)',
    'create or replace view evil as select 1',
    'create procedure evil() delete from place',
    'drop table place',
    'truncate place',
    'alter table place add column evil int',
    'begin not atomic delete from place; end',
    'begin not atomic commit; set session transaction read write; delete from place; commit; end',
    'if 1 then commit; delete from place; end if',
    "execute immediate 'delete from place'",
    "prepare evil from 'delete from place'",
    'set statement tx_read_only = 0 for delete from place',
    'set statement sql_mode = default for delete from place',
    'do release_lock(1)',
    "select get_lock('evil', 0)",
    'lock tables place write',
    'handler place open',
    'kill 1',
    'flush tables',
    'optimize table place',
    'rename table place to evil',
    "select 'x' into outfile '/tmp/evil'",
    'select 1 into @evil',
    "load data infile '/etc/passwd' into table place",
    "load data local infile '/etc/passwd' into table place",
    'set global max_connections = 5',
    'set password = password(7)',
    'xa start 7',
    'savepoint evil',
    'call sys.evil()',
    'show tables; drop table place',
    'show\tcreate table place',
    '/*! delete from place */',
    '/*M! delete from place returning id */',
  ],
  refused: [
    'analyze table place',
    'analyze table place persistent for all',
    'cache index place in default',
    'load index into cache place',
    'check table place',
    'repair table place',
  ],
};

describeExplorer('MySQL (MariaDB)', dialect, async () => {
  const subject = await openMysql();
  return {
    subject,
    explorer: exploreMysql(subject.host),
    countSessions: async (serverId: string) => {
      await using session = await connectAsPlatform(await homeOf(subject.host, serverId));
      const [rows] = await session.connection.query<RowDataPacket[]>(
        'select count(*) as count from information_schema.processlist where user = ?',
        [OWNER.user],
      );
      return Number(rows[0]?.['count']);
    },
    [Symbol.asyncDispose]: () => subject[Symbol.asyncDispose](),
  };
});
