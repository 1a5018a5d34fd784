import pg from 'pg';
import type { Table } from './tables.ts';
import { MOST_WEIGHT, plainType, weightOf, type ValueType, type ValueTypes } from './value-weights.ts';

/** What the table is called in the questions: what else is in them may have the name of a column. */
export const ROWS = 'its_rows';

/** How long the rows of a table are, as expressions to be asked. */
export interface RowLengths {
  /** At least as long as a row is; nothing of its large values is read for it. */
  bound: string;
  /** The length as nearly as it can be known, with what it has to be joined with; null where it is the bound. */
  exact: { length: string; joins: string; sizes: string } | null;
}

/** No compression that it has makes less of a value. */
const BEST_COMPRESSION = 256;

/** Of each table that may have rows of that length. */
export async function rowLengthsOf(
  client: pg.Client,
  tables: readonly Table[],
  longestBytes: number,
): Promise<Map<string, RowLengths>> {
  const { rows } = await client.query<{ oid: string; toast: string; columns: { name: string; type: string }[] }>(
    `select c.oid::text as oid, c.reltoastrelid::regclass::text as toast,
       json_agg(json_build_object('name', a.attname, 'type', a.atttypid::text) order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.oid = any($1::oid[]) and c.reltoastrelid <> 0 and pg_relation_size(c.reltoastrelid) > $2::bigint
       and a.attnum > 0 and not a.attisdropped and a.attlen = -1 and a.attgenerated = ''
     group by c.oid`,
    [tables.map(({ oid }) => oid), Math.floor(longestBytes / MOST_WEIGHT / BEST_COMPRESSION)],
  );
  const types = await readTypes(
    client,
    rows.flatMap(({ columns }) => columns.map(({ type }) => type)),
  );
  return new Map(rows.map(({ oid, toast, columns }) => [oid, lengthsOf(types, toast, columns)]));
}

function lengthsOf(types: ValueTypes, toast: string, columns: readonly { name: string; type: string }[]): RowLengths {
  const values = columns.map(({ name, type }) => {
    const column = `${ROWS}.${pg.escapeIdentifier(name)}`;
    return { column, weight: weightOf(types, type), known: lengthOfText(plainType(types, type), column) };
  });
  const sum = (lengthOf: (value: (typeof values)[number], index: number) => string) =>
    values.map((value, index) => `${value.weight} * coalesce(${value.known ?? lengthOf(value, index)}, 0)`).join(' + ');
  const bound = sum(({ column }) => boundOf(column));
  if (values.every(({ known }) => known !== null)) return { bound, exact: null };
  const joins = values.flatMap(({ known, column }, index) =>
    known === null ? `left join sizes s${index} on s${index}.size = pg_catalog.pg_column_size(${column})` : [],
  );
  return {
    bound,
    exact: {
      length: sum(({ column }, index) => `least(${boundOf(column)}, ${exactOf(column, `s${index}.raw`)})`),
      joins: joins.join(' '),
      sizes: sizesIn(toast),
    },
  };
}

const BPCHAR = '1042';
const BYTEA = '17';

/**
 * How long it is stands in the row. From a domain to what it is over, and from one text to another, nothing is run that
 * anybody could have written.
 */
function lengthOfText(type: ValueType | undefined, column: string): string | null {
  if (type?.oid === BPCHAR) return `pg_catalog.octet_length(${column}::pg_catalog.bpchar)`;
  if (type?.oid === BYTEA) return `pg_catalog.octet_length(${column}::pg_catalog.bytea)`;
  return type?.isText ? `pg_catalog.octet_length(${column}::pg_catalog.text)` : null;
}

/** Of other values the row tells only how long they are as they are kept, and whether they are compressed. */
const boundOf = (column: string): string =>
  `pg_catalog.pg_column_size(${column})::float8 * ` +
  `case when pg_catalog.pg_column_compression(${column}) is null then 1 else ${BEST_COMPRESSION} end`;

const exactOf = (column: string, raw: string): string =>
  `case when pg_catalog.pg_column_compression(${column}) is not null then ${raw} end`;

/**
 * A compressed value that is kept aside begins with the length that it has without compression, in 30 bits. Which row
 * it belongs to cannot be asked of every series; so of those that are as long as it, compressed, the longest counts.
 */
const sizesIn = (toast: string): string => `
  select size, pg_catalog.max(raw)::float8 as raw from (
    select pg_catalog.sum(pg_catalog.octet_length(chunk_data)) as size, pg_catalog.max(
      case when chunk_seq = 0 and pg_catalog.octet_length(chunk_data) >= 4 then
        pg_catalog.get_byte(chunk_data, 0) + pg_catalog.get_byte(chunk_data, 1) * 256 +
        pg_catalog.get_byte(chunk_data, 2) * 65536 + (pg_catalog.get_byte(chunk_data, 3) & 63) * 16777216
      end) as raw
    from ${toast} group by chunk_id
  ) as kept where raw > size and raw <= size * ${BEST_COMPRESSION} group by size`;

/** With all that they are made of. */
async function readTypes(client: pg.Client, oids: readonly string[]): Promise<ValueTypes> {
  const { rows } = await client.query<ValueType>(
    `with recursive used as (
       select unnest($1::oid[]) as oid
       union
       select part.oid from used join pg_type t on t.oid = used.oid cross join lateral (
         select t.typbasetype
         union all select t.typelem
         union all select atttypid from pg_attribute where attrelid = t.typrelid and attnum > 0 and not attisdropped
       ) as part(oid) where part.oid <> 0
     )
     select t.oid::text as oid,
       coalesce(('{"b":"base","c":"composite","d":"domain","e":"enum","r":"range","m":"multirange"}'::json) ->> t.typtype::text, 'other') as kind,
       nullif(t.typbasetype, 0)::text as base,
       case when t.typelem <> 0 and t.typlen = -1 and t.typcategory = 'A' then t.typelem::text end as element,
       case when t.typlen > 0 then t.typlen end as "lengthBytes",
       t.typbyval as "isByValue",
       t.typlen = -1 and (t.oid = any('{text,bpchar}'::regtype[]) or exists (
         select from pg_cast
         where castsource = t.oid and casttarget = 'text'::regtype and castmethod = 'b'
       )) as "isText",
       array(
         select atttypid::text from pg_attribute where attrelid = t.typrelid and attnum > 0 and not attisdropped
       ) as members
     from pg_type t join used on used.oid = t.oid`,
    [[...new Set(oids)]],
  );
  return new Map(rows.map((row) => [row.oid, row]));
}
