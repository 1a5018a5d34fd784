import type pg from 'pg';
import { CannotBeDumped } from '../../transfer.ts';
import { nameOf, type Table } from './tables.ts';

const MB = 1024 ** 2;

/** A server takes about four times the length of a row's text while it writes or reads it; more than it has ends it. */
const PART_OF_MEMORY = 0.25;
/** What PostgreSQL itself can hold as one text. */
const LONGEST_MB = 1000;

/** What one row may have as text: what this server can write down, and load again. */
export const longestRowBytes = (memoryMb: number): number =>
  Math.min(LONGEST_MB, Math.floor(memoryMb * PART_OF_MEMORY)) * MB;

/** No compression that it has makes less of a value. */
const BEST_COMPRESSION = 256;

/**
 * Asks how long the longest rows are, of tables that have large values at all. These are not read for that: how long
 * they are stands in the row.
 */
export async function assertRowsFit(
  client: pg.Client,
  {
    tables,
    nameToday,
    longestBytes,
  }: {
    tables: readonly Table[];
    nameToday: (oid: string) => Promise<string>;
    longestBytes: number;
  },
): Promise<void> {
  const lengths = await lengthsOf(client, tables, longestBytes);
  for (const table of tables) {
    const length = lengths.get(table.oid);
    if (length === undefined) continue;
    const { rows } = await client.query<{ bytes: number | null }>(
      `select pg_catalog.max(${length})::float8 as bytes from only ${await nameToday(table.oid)}
       where tableoid = ${table.oid}`,
    );
    const bytes = rows[0]?.bytes ?? 0;
    if (bytes > longestBytes) throw new CannotBeDumped(tooLarge(table, bytes, longestBytes));
  }
}

/** Of each table that may have such rows, how long one is as text; texts are held more often on the way than bytes. */
async function lengthsOf(
  client: pg.Client,
  tables: readonly Table[],
  longestBytes: number,
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ oid: string; length: string }>(
    `select c.oid::text as oid, string_agg(format(
       case
         when a.atttypid = 'bytea'::regtype then 'coalesce(2.0 * pg_catalog.octet_length(%I), 0)'
         when a.atttypid in ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype)
           then 'coalesce(1.25 * pg_catalog.octet_length(%I), 0)'
         else 'coalesce(2.0 * pg_catalog.pg_column_size(%I), 0)'
       end, a.attname), ' + ') as length
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.oid = any($1::oid[]) and c.reltoastrelid <> 0 and pg_relation_size(c.reltoastrelid) > $2::bigint
       and a.attnum > 0 and not a.attisdropped and a.attlen = -1 and a.attgenerated = ''
     group by c.oid`,
    [tables.map(({ oid }) => oid), Math.floor(longestBytes / 2 / BEST_COMPRESSION)],
  );
  return new Map(rows.map(({ oid, length }) => [oid, length]));
}

const tooLarge = (table: Table, bytes: number, longestBytes: number): string =>
  `A row of the table ${nameOf(table)} takes about ${Math.ceil(bytes / MB)} MB as text, and the memory of this ` +
  `database's server is enough for ${Math.floor(longestBytes / MB)} MB: to write more would end it. Spread what is in ` +
  'the row over several, or choose a larger tier, then try again.';

/** After the server has ended itself over a row, in spite of everything: another attempt would end it again. */
export const endedOver = (table: Table | null): CannotBeDumped =>
  new CannotBeDumped(
    `The server of this database ended the session ${table ? `while it wrote the table ${nameOf(table)}` : 'of the dump'}, ` +
      'most likely because a row needs more memory than its tier has. It is not tried again by itself. Choose a larger ' +
      'tier, or spread what is in the row over several.',
  );
