import pg from 'pg';
import { describeExplorer } from '../../explore/conformance.ts';
import { OWNER } from '../../conformance-subject.ts';
import { homeOf } from '../../host/places-of.ts';
import { connectAsPlatform } from '../connect.ts';
import { EXPLORER_ROLE } from '../host-based-access.ts';
import { findPrograms } from '../programs.ts';
import { newestAndOldest, openPostgresql } from '../testing/postgresql-subject.ts';
import { explorePostgresql } from './create-explorer.ts';

const dialect = {
  types: { id: 'bigint', json: 'jsonb', bytes: 'bytea', text: 'text' },
  quoted: (name: string) => pg.escapeIdentifier(name),
  parameter: '$1',
  sleep: (seconds: number) => `select pg_sleep(${seconds})`,
  manyRows: (count: number) => `select generate_series(1, ${count})`,
  giant: "select repeat('x', 100000000)",
  sideEffects: [
    'commit',
    'rollback',
    'commit and chain',
    'begin read write',
    'set transaction read write',
    'set session characteristics as transaction read write',
    'set default_transaction_read_only = off',
    "select set_config('transaction_read_only', 'off', false)",
    'insert into place values (7)',
    'with x as (delete from place returning id) select * from x',
    'explain analyze delete from place',
    'select * into evil from place',
    'create table evil (id int)',
    'create temp table evil (id int)',
    'drop table place',
    'truncate place',
    'alter table place add column evil int',
    'do $$ begin delete from place; end $$',
    'do $$ begin commit; delete from place; commit; end $$',
    'do $$ begin set transaction read write; delete from place; end $$',
    "do $$ begin perform set_config('transaction_read_only', 'off', false); delete from place; end $$",
    "copy place to program 'touch /tmp/evil'",
    "copy place from program 'echo 7'",
    'copy place from stdin',
    'copy place to stdout',
    "select lo_import('/etc/passwd')",
    'select lo_create(0)',
    'select pg_advisory_lock(1)',
    'listen evil',
    'notify evil',
    'lock table place in access exclusive mode',
    'select * from place for update',
    'declare c cursor with hold for select * from place',
    "prepare transaction 'evil'",
    'prepare evil as delete from place',
    'vacuum place',
    'set role lilac',
    'set session authorization lilac',
    'alter role alice set search_path = evil',
    'grant all on place to public',
    'comment on table place is $$evil$$',
    'create extension dblink',
  ],
  refused: [
    "select pg_read_file('/etc/passwd')",
    'select rolpassword from pg_authid',
    'select passwd from pg_shadow',
    "select table_to_xml('pg_authid', true, true, '')",
    'do $$ begin perform rolpassword from pg_authid; end $$',
    'select umoptions from pg_user_mapping',
    'select subconninfo from pg_subscription',
    'select pg_terminate_backend(0)',
    'select pg_cancel_backend(0)',
    'set role alice',
  ],
};

for (const programs of newestAndOldest(await findPrograms(null))) {
  describeExplorer(`PostgreSQL ${programs.series}`, dialect, async () => {
    const subject = await openPostgresql(programs);
    return {
      subject,
      explorer: explorePostgresql(subject.host),
      countSessions: async (serverId: string) => {
        await using session = await connectAsPlatform(await homeOf(subject.host, serverId));
        const { rows } = await session.client.query<{ count: number }>(
          'select count(*)::int as count from pg_stat_activity where usename = any ($1)',
          [[OWNER.user, EXPLORER_ROLE]],
        );
        return rows[0]?.count ?? 0;
      },
      [Symbol.asyncDispose]: () => subject[Symbol.asyncDispose](),
    };
  });
}
