import type { Connection } from 'mysql2/promise';
import { COUNT_MS, LONGEST_CELL } from '../../explore/limits.ts';
import { createRowCollector } from '../../explore/row-collector.ts';
import { StatementRefused, type Cell, type Cells, type RowFilter, type RowsWanted } from '../../explorer.ts';
import { columnOf, findTable, nameOf, quoted, type KnownColumn, type KnownTable } from './catalogue.ts';
import { hasNumber, TOO_SLOW } from './failure.ts';
import type { Field } from './fields.ts';
import { ask, prepare } from './statements.ts';
import { toCell, toCompared, type Parameter } from './values.ts';

interface Chosen {
  /** `from … where …` */
  text: string;
  values: Parameter[];
}

const OPERATORS = { '=': '=', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const;

export async function readRows(
  connection: Connection,
  wanted: RowsWanted,
  databaseName: string,
): Promise<{ rows: Cells[]; total: number }> {
  const table = await findTable(connection, wanted, databaseName);
  const chosen = choose(table, wanted.filters);
  const limits = `limit ${Math.trunc(wanted.limit)} offset ${Math.trunc(wanted.offset)}`;
  const rows = await readAs(
    connection,
    table,
    `select ${columnList(table)} ${chosen.text} ${orderOf(table, wanted)} ${limits}`,
    chosen.values,
  );
  const total = await count(connection, chosen);
  return { rows, total: Math.max(total, rows.length > 0 ? wanted.offset + rows.length : 0) };
}

/** Long values are cut by the server already, a little behind where the answer cuts them. */
export const columnList = ({ columns }: KnownTable): string =>
  columns
    .map(({ name, isUnbounded }) => (isUnbounded ? `left(${quoted(name)}, ${LONGEST_CELL + 1})` : quoted(name)))
    .join(', ');

/** Runs what answers with `columnList`; rows that do not fit into an answer are left out, but never the first. */
export async function readAs(
  connection: Connection,
  { columns }: KnownTable,
  text: string,
  values: readonly Parameter[],
): Promise<Cells[]> {
  const collector = createRowCollector(Number.POSITIVE_INFINITY);
  const statement = await prepare(connection, text);
  await statement.run(values, (row, fields) => {
    collector.add(columns.map((column, index) => cellOf(row[index], column, fields[index])));
  });
  return collector.rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])));
}

function cellOf(value: unknown, { isJson }: KnownColumn, field: Field | undefined): Cell {
  if (!field) return null;
  return toCell(value, isJson ? { ...field, extendedFormat: 'json' } : field);
}

function choose(table: KnownTable, filters: readonly RowFilter[]): Chosen {
  const values: Parameter[] = [];
  const conditions = filters.map((filter) => conditionOf(columnOf(table, filter.column), filter, values));
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  return { text: `from ${nameOf(table)} ${where}`, values };
}

function conditionOf(column: KnownColumn, { operator, value }: RowFilter, values: Parameter[]): string {
  const name = quoted(column.name);
  if (operator === 'is null' || operator === 'is not null') return `${name} ${operator}`;
  if (value === undefined || value === null) {
    throw new StatementRefused(`The filter on ${JSON.stringify(column.name)} needs a value; use "is null" for none.`);
  }
  if (operator !== 'contains') {
    values.push(toCompared(value, column));
    return `${name} ${OPERATORS[operator]} ?`;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  values.push(`%${text.replaceAll(/[!%_]/g, '!$&')}%`);
  const searched = column.isBits ? `cast(${name} as unsigned)` : name;
  return `${lowerCase(searched)} like ${lowerCase('?')} escape '!'`;
}

const lowerCase = (what: string): string => `lower(convert(${what} using utf8mb4)) collate utf8mb4_bin`;

/** Ends with what tells rows apart, so that pages do not overlap. */
function orderOf(table: KnownTable, { sortColumn, sortOrder }: RowsWanted): string {
  const chosen = sortColumn === undefined ? [] : [columnOf(table, sortColumn).name];
  const parts = [...chosen, ...(table.primaryKey.length > 0 ? table.primaryKey : othersFor(table, chosen))];
  return parts.length > 0 ? `order by ${parts.map((name) => `${quoted(name)} ${sortOrder}`).join(', ')}` : '';
}

/** Without a key rows come in the order of the table; when they are sorted, all that is short decides. */
const othersFor = ({ columns }: KnownTable, chosen: readonly string[]): string[] =>
  chosen.length === 0 ? [] : columns.filter(({ isUnbounded }) => !isUnbounded).map(({ name }) => name);

/** Exactly, unless that takes too long: then as the server estimates. */
async function count(connection: Connection, { text, values }: Chosen): Promise<number> {
  await connection.query(`set session max_statement_time = ${COUNT_MS / 1000}`);
  try {
    const [row] = await ask(connection, `select count(*) ${text}`, values);
    return Number(row?.[0] ?? 0);
  } catch (error) {
    if (!hasNumber(error, TOO_SLOW)) throw error;
    return await estimate(connection, { text, values });
  }
}

async function estimate(connection: Connection, { text, values }: Chosen): Promise<number> {
  let rows = 0;
  const statement = await prepare(connection, `explain select 1 ${text}`);
  await statement.run(values, (row, fields) => {
    rows = Math.max(rows, Number(row[fields.findIndex(({ name }) => name === 'rows')] ?? 0));
  });
  return rows;
}
