import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import { plainText } from '../terminal/printable.ts';
import { renderBackups } from './render-backups.ts';
import { renderData } from '../terminal/render-data.ts';
import { renderTable } from '../terminal/render-list.ts';
import { pageNote, renderAnswer, type Paper } from '../terminal/render.ts';
import { alignColumns } from '../terminal/table.ts';

type Outputs = { [Name in keyof Endpoints]: OutputOf<Endpoints[Name]> };

type Texts = { [Name in keyof Outputs]?: (answer: Outputs[Name], paper: Paper) => string };

/** What databases answer, where it is not names and values of ours. */
export const databaseTexts: Texts = {
  'databases.list': renderDatabases,
  'databases.get': renderDatabase,
  'databases.backups': renderBackups,
  'databases.explorer.schema': renderSchema,
  'databases.explorer.rows': renderRows,
  'databases.explorer.query': renderQuery,
};

type Database = Outputs['databases.get'];

function renderDatabases(page: Outputs['databases.list'], { width }: Paper): string {
  if (page.items.length === 0) return 'None.';
  const lines = page.items.map((database) => {
    const { storage_gb, ha_enabled, created_at, error } = database;
    const line = { ...aboutOf(database), size: `${storage_gb} GB`, ha_enabled, created_at };
    return error === null ? line : { ...line, error };
  });
  return renderTable(lines, width) + pageNote(page);
}

function renderDatabase(database: Database, paper: Paper): string {
  const { region, public_ip_enabled, authorized_networks: networks, project_id, error, created_at } = database;
  const anybody = networks.length === 0 ? 'anywhere' : networks;
  const fields = {
    ...aboutOf(database),
    storage: `${database.storage_gb} GB`,
    ha_enabled: database.ha_enabled,
    region,
    reached_from: public_ip_enabled ? anybody : "the organisation's own applications",
    ...(project_id !== null && { project_id }),
    created_at,
    ...(error !== null && { error }),
  };
  return renderAnswer(fields, paper);
}

/** What it is, in few words: a line of a list has room for those. */
function aboutOf({ id, name, status, database_type, version, tier }: Database) {
  return { id, name, status, engine: `${database_type} ${version}`, tier };
}

function renderRows(page: Outputs['databases.explorer.rows'], { width }: Paper): string {
  if (page.items.length === 0) return 'None.';
  const names = [...new Set(page.items.flatMap((row) => Object.keys(row)))];
  const rows = page.items.map((row) => names.map((name) => row[name]));
  return renderData(names, rows, width) + pageNote(page);
}

function renderQuery(answer: Outputs['databases.explorer.query'], { width }: Paper): string {
  const { columns, rows, rowCount, durationMs, truncated } = answer;
  const count = `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`;
  const duration = `${Math.round(durationMs)} ms`;
  if (columns.length === 0) return `${count} changed, ${duration}`;
  const names = columns.map(({ name }) => name);
  const more = truncated ? '; more rows were left out' : '';
  return `${renderData(names, rows, width)}\n\n${count}, ${duration}${more}`;
}

type Table = Outputs['databases.explorer.schema']['tables'][number];

function renderSchema({ tables }: Outputs['databases.explorer.schema']): string {
  return tables.length === 0 ? 'None.' : tables.map(renderTableOf).join('\n\n');
}

function renderTableOf({ schema, name, view, rows, columns }: Table): string {
  const about = view ? 'view' : `about ${rows} ${rows === 1 ? 'row' : 'rows'}`;
  const head = `${plainText(schema)}.${plainText(name)} (${about})`;
  const lines = columns.map((column) => [plainText(column.name), plainText(column.type), rulesOf(column)]);
  return lines.length === 0 ? head : `${head}\n${alignColumns(lines, '  ')}`;
}

/** As SQL says it: nothing where it may be null and has no default. */
function rulesOf(column: Table['columns'][number]): string {
  const isNeeded = !column.nullable && !column.primaryKey;
  return [column.primaryKey ? 'primary key' : '', isNeeded ? 'not null' : '', originOf(column)]
    .filter(Boolean)
    .join(', ');
}

/** Where a value comes from that nobody gives. Not every engine tells the expression of one that it makes itself. */
function originOf({ generated, default: expression }: Table['columns'][number]): string {
  if (expression === null) return generated ? 'generated always' : '';
  return `${generated ? 'generated always as' : 'default'} ${plainText(expression)}`;
}
