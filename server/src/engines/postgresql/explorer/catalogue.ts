import { MOST_TABLES } from '@lilac/contract/explorer-limits';
import pg from 'pg';
import { noColumn } from '../../explore/refusals.ts';
import { MOST_NAMED, readingsOf, tableMissing, type TableName } from '../../explore/table-names.ts';
import type { Column, InTable } from '../../explorer.ts';
import type { ValueType } from './values.ts';

export interface KnownColumn extends Column {
  valueType: ValueType;
  /** Its values may be of any length. */
  isUnbounded: boolean;
}

export interface KnownTable {
  schema: string;
  name: string;
  /** As the catalogue has it: `r` a table, `p` a partitioned one, `v` a view, `m` a materialized one, `f` a foreign table. */
  kind: 'r' | 'p' | 'v' | 'm' | 'f';
  rows: number;
  columns: KnownColumn[];
  /** In the order of the key. */
  primaryKey: string[];
}

export const USUAL_SCHEMA = 'public';

const { escapeIdentifier } = pg;

/** How a statement names it. */
export const nameOf = ({ schema, name }: { schema: string; name: string }): string =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;

export const listTables = (client: pg.Client): Promise<KnownTable[]> => read(client, 'true', []);

export async function findTable(client: pg.Client, wanted: InTable): Promise<KnownTable> {
  for (const { schema, name } of readingsOf(wanted, USUAL_SCHEMA)) {
    const [found] = await read(client, 'n.nspname = $1 and c.relname = $2', [schema, name]);
    if (found) return found;
  }
  throw tableMissing(wanted, await listNames(client, wanted.table));
}

/** Those first that are called so elsewhere. */
async function listNames(client: pg.Client, sought: string): Promise<TableName[]> {
  const { rows } = await client.query<TableName>(
    `select n.nspname::text as schema, c.relname::text as name
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where ${VISIBLE}
     order by pg_catalog.lower(c.relname) = pg_catalog.lower($1::text) desc, n.nspname, c.relname
     limit ${MOST_NAMED + 1}`,
    [sought],
  );
  return rows;
}

export function columnOf({ columns }: KnownTable, name: string): KnownColumn {
  const found = columns.find((column) => column.name === name);
  if (!found) throw noColumn(name);
  return found;
}

/** What people have made and may look into. */
const VISIBLE = `
  c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't'
  and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  and has_schema_privilege(n.oid, 'usage') and has_any_column_privilege(c.oid, 'select')`;

/** Of a type `b` with elements of the type `e`: its text has commas between them. */
const IS_LIST = "b.typcategory = 'A' and e.typdelim = ','";

/** Names are compared as text: one that is too long would be cut to fit, and might then be another's. */
async function read(client: pg.Client, condition: string, values: string[]): Promise<KnownTable[]> {
  const { rows } = await client.query<{ table: KnownTable }>(
    `select json_build_object(
       'schema', n.nspname, 'name', c.relname, 'kind', c.relkind,
       'rows', greatest(coalesce(nullif(c.reltuples, -1), pg_stat_get_live_tuples(c.oid), 0), 0)::bigint,
       'columns', coalesce((
         select json_agg(json_build_object(
             'name', a.attname,
             'type', format_type(a.atttypid, a.atttypmod),
             'nullable', not a.attnotnull,
             'default', pg_get_expr(d.adbin, d.adrelid),
             'primaryKey', coalesce(a.attnum = any(i.indkey::int2[]), false),
             'generated', a.attgenerated <> '' or a.attidentity = 'a',
             'list', coalesce(${IS_LIST}, false),
             'valueType', json_build_object(
               'id', b.oid::bigint,
               'elementId', case when ${IS_LIST} then e.oid::bigint end),
             'isUnbounded', b.typlen = -1 and b.oid <> 'bpchar'::regtype
           ) order by a.attnum)
         from pg_attribute a
         join pg_type t on t.oid = a.atttypid
         join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
         left join pg_type e on e.oid = b.typelem
         left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       ), '[]'),
       'primaryKey', coalesce((
         select json_agg(a.attname order by k.place)
         from unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
       ), '[]')
     ) as "table"
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     left join pg_index i on i.indrelid = c.oid and i.indisprimary
     where ${VISIBLE}
       and ${condition.replaceAll(/\$\d/g, '$&::text')}
     order by n.nspname, c.relname
     limit ${MOST_TABLES}`,
    values,
  );
  return rows.map(({ table }) => table);
}
