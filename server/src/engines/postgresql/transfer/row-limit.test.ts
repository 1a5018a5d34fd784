import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectAsReader } from '../connect.ts';
import { READER_ROLE } from '../host-based-access.ts';
import { findPrograms, type PostgresqlPrograms } from '../programs.ts';
import { ensureReadingRole } from '../reading-role.ts';
import { newestAndOldest } from '../testing/postgresql-subject.ts';
import { assertRowsFit, watchLines } from './row-limit.ts';
import { nameOf, readTables, type Table } from './tables.ts';
import { openTransferBench, type TransferBench } from './testing/transfer-bench.ts';

const MB = 1024 ** 2;

it('a row counts as it is written, however many pieces it comes in', () => {
  const table = { oid: '1', schema: 'public', name: 'wide', columns: [] } as unknown as Table;
  const watch = watchLines(table, 10);
  for (const piece of ['short\n1234567890\n12345', '67890\n', '1234567890', '\nx\n', '']) watch(Buffer.from(piece));
  watch(Buffer.from('x\n123456'));
  expect(() => watch(Buffer.from('78901\n'))).toThrow('the table "public"."wide"');
});

describe.each(newestAndOldest(await findPrograms(null)))('PostgreSQL $series', (programs: PostgresqlPrograms) => {
  let bench: TransferBench;
  beforeAll(async () => {
    bench = await openTransferBench(programs);
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  /** What the table of the name has in its longest row, in MB of text, for a server that takes `longestMb`; null: it fits. */
  async function refusal(name: string, longestMb: number): Promise<string | null> {
    await using session = await connectAsReader(bench.home, 'one');
    const tables = (await readTables(session.client)).filter((table) => table.name === name);
    const nameToday = async () => nameOf(tables[0]!);
    return await assertRowsFit(session.client, { tables, nameToday, longestBytes: longestMb * MB }).then(
      () => null,
      (error: Error) => error.message,
    );
  }

  it('a row counts for what it has without compression, whatever its types are, and nothing of a customer is run', async () => {
    const owner = await bench.database('one');
    await ensureReadingRole(bench.home, { role: READER_ROLE, databaseName: 'one' });
    await bench.query(
      owner,
      `create extension citext;
       create domain longtext as text check (length(value) >= 0);
       create domain longer as longtext;
       create function noted(longer) returns text language plpgsql as 'begin raise exception ''it was run''; end';
       create cast (longer as text) with function noted(longer);
       create type pair as (size int, raw json);
       create table as_domain (v longer); insert into as_domain values (repeat('a', 4000000));
       create table as_citext (v citext); insert into as_citext values (repeat('a', 4000000));
       create table as_json (size json, raw json);
       insert into as_json select v, v from (select to_json(repeat('a', 2000000)) as v) as one;
       create table as_jsonb (v jsonb); insert into as_jsonb values (to_jsonb(repeat('a', 2000000)));
       create table as_array (v text[]); insert into as_array values (array_fill('a'::text, '{250000}'));
       create table as_pair (v pair); insert into as_pair values ((1, to_json(repeat('a', 2000000))));
       create type mood as enum ('${'m'.repeat(60)}');
       create table as_moods (v mood[]); insert into as_moods values (array_fill('${'m'.repeat(60)}'::mood, '{70000}'));
       create table as_bits (v varbit); insert into as_bits values (repeat('1', 4000000)::varbit);
       create table as_flags (v bool[]); insert into as_flags values (array_fill(true, '{1000000}'));
       create table many_small as select to_json(repeat('a', 1000)) as v from generate_series(1, 300);
       create table noise as select to_json(string_agg(md5(i::text), '')) as v from generate_series(1, 30000) i`,
    );
    const names = [
      'as_domain',
      'as_citext',
      'as_json',
      'as_jsonb',
      'as_array',
      'as_pair',
      'as_flags',
      'as_moods',
      'as_bits',
    ];
    for (const name of names) {
      expect(await refusal(name, 4)).toMatch(new RegExp(`"${name}" counts for about (5|10) MB of text`));
      expect(await refusal(name, 11)).toBeNull();
    }
    expect(await refusal('many_small', 4)).toBeNull();
    // The most that it could be is much more than it is.
    expect(await refusal('noise', 4)).toBeNull();
  });
});
