import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectAsPlatform } from '../connect.ts';
import { PLATFORM_ROLE } from '../host-based-access.ts';
import { findPrograms, type PostgresqlPrograms } from '../programs.ts';
import { newestAndOldest } from '../testing/postgresql-subject.ts';
import { openTransferBench, type TransferBench } from './testing/transfer-bench.ts';

const series = newestAndOldest(await findPrograms(null));

/** What an owner may set for his database, each of which could end or mislead a session of ours. */
const settingsOf = (owner: string, { series: at }: PostgresqlPrograms): [name: string, value: string][] => [
  ['statement_timeout', '1ms'],
  ['lock_timeout', '1ms'],
  ['idle_session_timeout', '1ms'],
  ['idle_in_transaction_session_timeout', '1ms'],
  ...(at >= 17 ? [['transaction_timeout', '1ms'] as [string, string]] : []),
  ['default_transaction_read_only', 'on'],
  ['default_transaction_isolation', 'serializable'],
  ['default_transaction_deferrable', 'on'],
  ['search_path', 'nowhere'],
  ['role', owner],
  ['session_authorization', owner],
  ['standard_conforming_strings', 'off'],
  ['client_encoding', 'LATIN1'],
  ['datestyle', 'German'],
  ['row_security', 'off'],
  ['local_preload_libraries', 'nowhere'],
];

describe.each(series)('PostgreSQL $series ($origin)', (programs: PostgresqlPrograms) => {
  let bench: TransferBench;
  beforeAll(async () => {
    bench = await openTransferBench(programs);
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it('dumps a database whatever its owner has set for it', async () => {
    const [one, other] = [await bench.database('one'), await bench.database('other')];
    await bench.query(one, "create table t as select i as n, 'ü' || i as s from generate_series(1, 20000) i");
    for (const [name, value] of settingsOf(one.user, programs)) {
      await bench.ask(`set role ${one.user}; alter database one set ${name} = '${value}'`);
    }
    {
      await using session = await connectAsPlatform(bench.home, 'one');
      await session.client.query('begin');
      const { rows } = await session.client.query(
        'select current_user::text as me, session_user::text as us, pg_sleep(0.05)',
      );
      expect(rows).toMatchObject([{ me: PLATFORM_ROLE, us: PLATFORM_ROLE }]);
    }
    const { rows, text } = await bench.dump(one);
    expect(rows).toBe(20_000);
    await bench.load(other, text);
    expect(await bench.query(other, 'select count(*)::int as n, max(s) as s from t')).toEqual([
      { n: 20_000, s: 'ü9999' },
    ]);
  });

  it('loads into one whose owner has little time', async () => {
    const owner = await bench.database('hasty');
    const limits = settingsOf(owner.user, programs).filter(([name]) => name.endsWith('_timeout'));
    for (const [name, value] of limits) await bench.ask(`alter database hasty set ${name} = '${value}'`);
    await bench.load(owner, 'create table t as select 1 as n from pg_sleep(0.05);');
    expect(await bench.ask('select count(*)::int as n from public.t', 'hasty')).toEqual([{ n: 1 }]);
  });

  it('holds nothing that is told to every client, however long its owner makes it', async () => {
    const owner = await bench.database('wordy');
    for (const whose of ['role current_user in database wordy', 'database wordy']) {
      const setting = `alter ${whose} set search_path = %L`;
      await bench.query(owner, `do $$ begin execute format('${setting}', 'public, ' || repeat('x', 1500000)); end $$`);
      expect(await bench.dump(owner)).toMatchObject({ tables: 0 });
      const loaded = await bench.load(owner, 'create table public.t (); drop table public.t;').then(
        () => 'loaded',
        (error: unknown) => String(error),
      );
      // Older series do not tell it.
      expect(loaded).toMatch(programs.series < 18 ? /^loaded$/ : /told to every client .* search_path/);
      await bench.ask('alter role owner_of_wordy in database wordy reset search_path');
      await bench.ask('alter database wordy reset search_path');
    }
  });
});
