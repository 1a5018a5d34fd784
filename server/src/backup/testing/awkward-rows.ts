import pg from 'pg';
import type { Keyring, SealedPlace } from '../../secrets/keyring.ts';
import { sealedColumns } from '../../secrets/sealed-columns.ts';
import { derivedTables, migratorTables } from '../backup-format.ts';

/**
 * Fills every table that the schema has, whatever tables those are, with values that are easy to get
 * wrong. What a column may hold is read from the catalogue, so new tables are covered as they come.
 */
export async function fillWithAwkwardRows(pool: pg.Pool, keyring: Keyring): Promise<string[]> {
  const columns = await readColumns(pool);
  const tables = Map.groupBy(columns, (column) => column.table);
  const client = await pool.connect();
  try {
    await client.query('begin; set constraints all deferred');
    for (const [table, own] of tables) {
      for (const row of [0, 1, 2]) await insert(client, { table, columns: own, row, all: columns, keyring });
    }
    await client.query('commit');
  } finally {
    client.release();
  }
  return [...tables.keys()];
}

interface Column {
  table: string;
  name: string;
  type: string;
  nullable: boolean;
  check: string | null;
  refers_to: { table: string; column: string } | null;
}

async function readColumns(pool: pg.Pool): Promise<Column[]> {
  const { rows } = await pool.query<Column>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
       not a.attnotnull as nullable,
       (select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as check,
       (select json_build_object('table', k.confrelid::regclass::text, 'column', f.attname)
        from pg_constraint k join pg_attribute f on f.attrelid = k.confrelid and f.attnum = k.confkey[1]
        where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum]) as refers_to
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and not c.relname = any ($1)
     order by c.relname, a.attnum`,
    [[...derivedTables, ...migratorTables]],
  );
  return rows;
}

interface Cell {
  columns: Column[];
  table: string;
  row: number;
  all: Column[];
  keyring: Keyring;
}

async function insert(client: pg.PoolClient, cell: Cell): Promise<void> {
  const { columns, table } = cell;
  const names = columns.map((column) => pg.escapeIdentifier(column.name));
  const slots = columns.map((column, at) => `$${at + 1}::text::${column.type}`);
  await client.query(
    `insert into ${pg.escapeIdentifier(table)} (${names.join(', ')}) overriding system value
     values (${slots.join(', ')}) on conflict do nothing`,
    columns.map((column) => valueOf(column, cell)),
  );
}

/** Depends on the column and the row's number alone, so that a reference finds what it refers to. */
function valueOf(column: Column, cell: Cell): string | null {
  const { row, all, keyring } = cell;
  if (column.nullable && row === 1) return null;
  const sealed = sealedColumns.find((entry) => entry.table === column.table && entry.column === column.name);
  if (sealed) {
    const name = valueOf(
      all.find((other) => other.table === sealed.table && other.name === sealed.row)!,
      cell,
    )!;
    return keyring.seal(`secret of ${name}`, { table: sealed.table, column: sealed.column, row: name } as SealedPlace);
  }
  const { refers_to: target } = column;
  if (target)
    return valueOf(
      all.find((other) => other.table === target.table && other.name === target.column)!,
      cell,
    );
  return allowedBy(column.check, row) ?? plainValue(column, row);
}

function allowedBy(check: string | null, row: number): string | null {
  if (check === null) return null;
  const listed = [...check.matchAll(/'([^']*)'::text/g)].map((match) => match[1]!);
  if (listed.length > 0) return listed[row % listed.length]!;
  if (/^CHECK \(\w+\)$/.test(check)) return 'true';
  throw new Error(`This test does not know what satisfies ${check}: teach it.`);
}

const AWKWARD_TEXTS = [
  'tab\t newline\n return\r feed\f backslash \\ \\N \\. \\t \\x41 quote \' " ; -- $1 ü 漢 🦄\u{10FFFF}\u0001 ',
  '\\.\n\\N',
  ` ${'long '.repeat(40)} `,
];

function plainValue({ table, name, type }: Column, row: number): string {
  const unique = `${table}.${name}.${row}`;
  switch (type) {
    case 'text':
      return AWKWARD_TEXTS[row]! + unique;
    case 'text[]':
      return `{${[...AWKWARD_TEXTS, 'NULL', '', unique].map((text) => quoted(text)).join(',')},NULL}`;
    case 'bytea':
      return `\\x${Buffer.from([...Array(256).keys()]).toString('hex')}${Buffer.from(unique).toString('hex')}`;
    case 'timestamp with time zone':
      return ['2026-03-29 02:30:00.123456+14', 'infinity', '0044-03-15 12:00:00+00 BC'][row]!;
    case 'date':
      return ['2026-03-29', 'infinity', '0044-03-15 BC'][row]!;
    case 'bigint':
      return String(9_007_199_254_740_993n + BigInt(row));
    case 'integer':
      return String(2_147_483_600 - row);
    case 'smallint':
      return String(-32_768 + row);
    case 'boolean':
      // A restore believes nothing good of standbys.
      return String(row === 0 && name !== 'in_step');
    case 'jsonb':
      // One of them is larger than anything is read at once; all are too large for a row.
      return JSON.stringify({ text: AWKWARD_TEXTS[row], big: 'x'.repeat(row === 0 ? 300_000 : 3000) }).replace(
        '{',
        '{"n": 1e-300, ',
      );
    default:
      throw new Error(`This test does not know values of type ${type}: teach it.`);
  }
}

/** As an element of an array is written. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
}
