import pg from 'pg';
import { COUNT_MS, LONGEST_CELL } from '../../explore/limits.ts';
import { createRowCollector } from '../../explore/row-collector.ts';
import { StatementRefused, type Cells, type RowFilter, type RowsWanted } from '../../explorer.ts';
import { columnOf, findTable, nameOf, type KnownColumn, type KnownTable } from './catalogue.ts';
import { AS_TEXT, toCell, toParameter } from './values.ts';

const CANCELLED = '57014';
const { escapeIdentifier } = pg;

interface Chosen {
  /** `from … where …` */
  text: string;
  values: (string | null)[];
}

export async function readRows(client: pg.Client, wanted: RowsWanted): Promise<{ rows: Cells[]; total: number }> {
  const table = await findTable(client, wanted);
  const chosen = choose(table, wanted.filters);
  const { rows } = await client.query<(string | null)[]>({
    text: `select ${columnList(table)} ${chosen.text} ${orderOf(table, wanted)}
      limit ${Math.trunc(wanted.limit)} offset ${Math.trunc(wanted.offset)}`,
    values: chosen.values,
    rowMode: 'array',
    types: AS_TEXT,
  });
  const total = await count(client, chosen);
  return { rows: toRows(table, rows), total: Math.max(total, rows.length > 0 ? wanted.offset + rows.length : 0) };
}

/** Long values are cut by the server already, one character behind where the answer cuts them. */
export function columnList({ columns }: KnownTable): string {
  return columns
    .map(({ name, isUnbounded }) => {
      const quoted = `t.${escapeIdentifier(name)}`;
      return isUnbounded ? `pg_catalog.left(${quoted}::pg_catalog.text, ${LONGEST_CELL + 1})` : quoted;
    })
    .join(', ');
}

/** Leaves out what does not fit into an answer any more; there is always one. */
export function toRows({ columns }: KnownTable, rows: readonly (string | null)[][]): Cells[] {
  const collector = createRowCollector(rows.length);
  for (const row of rows) collector.add(columns.map((column, index) => toCell(row[index] ?? null, column.valueType)));
  return collector.rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])));
}

function choose(table: KnownTable, filters: readonly RowFilter[]): Chosen {
  const values: (string | null)[] = [];
  const conditions = filters.map((filter) => conditionOf(columnOf(table, filter.column), filter, values));
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  return { text: `from ${nameOf(table)} as t ${where}`, values };
}

function conditionOf(column: KnownColumn, filter: RowFilter, values: (string | null)[]): string {
  const { operator, value } = filter;
  const quoted = `t.${escapeIdentifier(column.name)}`;
  if (operator === 'is null' || operator === 'is not null') return `${quoted} ${operator}`;
  if (value === undefined || value === null) {
    throw new StatementRefused(`The filter on ${JSON.stringify(column.name)} needs a value; use "is null" for none.`);
  }
  const text = toParameter(value, column.valueType.id) ?? '';
  if (operator !== 'contains') return `${quoted} ${operator} $${values.push(text)}`;
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  // Some collations cannot be searched this way; that of the database can.
  return `${quoted}::pg_catalog.text collate pg_catalog."default" ilike $${values.push(pattern)}`;
}

/** Ends with what no two rows share, so that pages do not overlap. */
function orderOf(table: KnownTable, { sortColumn, sortOrder }: RowsWanted): string {
  const chosen = sortColumn === undefined ? [] : [columnOf(table, sortColumn).name];
  const last =
    table.primaryKey.length > 0 ? table.primaryKey.map((name) => `t.${escapeIdentifier(name)}`) : placeOf(table);
  const parts = [...chosen.map((name) => `t.${escapeIdentifier(name)}`), ...last];
  return parts.length > 0 ? `order by ${parts.map((part) => `${part} ${sortOrder}`).join(', ')}` : '';
}

/** Where a row lies, when nothing else tells it from others. */
function placeOf({ kind }: KnownTable): string[] {
  if (kind === 'v' || kind === 'f') return [];
  return ['t.tableoid', 't.ctid'];
}

/** Exactly, unless that takes too long: then as the planner estimates. */
async function count(client: pg.Client, { text, values }: Chosen): Promise<number> {
  await client.query('savepoint counting');
  await client.query(`set local statement_timeout = ${COUNT_MS}`);
  try {
    const { rows } = await client.query<{ count: string }>(`select pg_catalog.count(*) as count ${text}`, values);
    return Number(rows[0]?.count ?? 0);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== CANCELLED) throw error;
    await client.query('rollback to savepoint counting');
    return await estimate(client, { text, values });
  }
}

async function estimate(client: pg.Client, { text, values }: Chosen): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
    `explain (format json) select 1 ${text}`,
    values,
  );
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}
