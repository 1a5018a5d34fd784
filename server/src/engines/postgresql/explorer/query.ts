import type pg from 'pg';
import type { FieldDef } from 'pg';
import { LONGEST_CELL } from '../../explore/limits.ts';
import { createRowCollector } from '../../explore/row-collector.ts';
import { StatementRefused, type Statement, type StatementResult } from '../../explorer.ts';
import { failureOf } from './failure.ts';
import { runInPortal } from './portal.ts';
import { toCell, type ValueType } from './values.ts';

/** `INSERT 0 3`, `UPDATE 3`: how many rows were changed. */
const CHANGED = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/;

/**
 * What only reads does so in a transaction that cannot write and is taken back; all else commits by itself, since some
 * statements cannot be part of a transaction, and runs to its end, however many rows it answers.
 */
export async function runStatement(client: pg.Client, statement: Statement): Promise<StatementResult> {
  const { text, parameters, readOnly, maxRows, timeoutMs } = statement;
  if (text.includes('\0')) throw new StatementRefused('A statement cannot have characters of the number zero.');
  if (readOnly) await client.query('begin read only');
  const collector = createRowCollector(maxRows);
  const { fields, tag } = await runInPortal(client, {
    text,
    parameters,
    onRow: (row) => collector.add(row.map((each) => each?.slice(0, LONGEST_CELL + 1) ?? null)),
    isEnough: () => readOnly && collector.isFull(),
  }).catch((error: unknown) => {
    throw failureOf(error, timeoutMs, statement);
  });
  const types = await typesOf(client, fields ?? []);
  if (readOnly) await client.query('rollback');
  const changed = CHANGED.exec(tag ?? '')?.[1];
  return {
    columns: (fields ?? []).map(({ name }, index) => ({ name, type: types[index]?.name ?? 'unknown' })),
    rows: collector.rows.map((row) => row.map((each, index) => toCell(each as string | null, types[index] ?? UNKNOWN))),
    rowCount: changed === undefined ? collector.rows.length : Number(changed),
    truncated: collector.isFull(),
  };
}

const UNKNOWN: ValueType = { id: 0, elementId: null };

/** As the server calls them. */
async function typesOf(client: pg.Client, fields: readonly FieldDef[]): Promise<(ValueType & { name: string })[]> {
  if (fields.length === 0) return [];
  const { rows } = await client.query<{ type: ValueType & { name: string } }>(
    `select json_build_object(
       'name', pg_catalog.format_type(f.type, f.modifier),
       'id', f.type::bigint,
       'elementId', case when t.typcategory = 'A' and e.typdelim = ',' then e.oid::bigint end) as type
     from unnest($1::oid[], $2::int[]) with ordinality as f (type, modifier, place)
     left join pg_catalog.pg_type t on t.oid = f.type
     left join pg_catalog.pg_type e on e.oid = t.typelem
     order by f.place`,
    [fields.map(({ dataTypeID }) => dataTypeID), fields.map(({ dataTypeModifier }) => dataTypeModifier)],
  );
  return rows.map(({ type }) => type);
}
