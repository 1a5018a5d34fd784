import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { databaseId, organisationField } from '../fields.ts';
import { inOwnWords } from '../in-own-words.ts';
import { assertNoHash, hideHashes } from '../password-hashes.ts';
import { clip, fitting } from '../shorten.ts';

const MAX_TABLES = 60;
const MAX_COLUMNS = 100;
const MAX_NAME = 100;
const MAX_CELL = 500;
const MAX_LENGTH = 40_000;

const table = z.object({
  name: z.string().describe('With its schema.'),
  rows: z.int().describe('An estimate.'),
  is_view: z.boolean(),
  columns: z
    .array(z.string())
    .describe('Name, type, and whether it is required, a part of the primary key, or generated: that takes no value.'),
  columns_left_out: z.int(),
});

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
type Cell = z.output<typeof cell>;

interface Column {
  name: string;
  type: string;
  nullable: boolean;
  primaryKey: boolean;
  generated: boolean;
}

export const queryTools = [
  defineTool({
    name: 'describe_database',
    title: 'Show the tables of a database',
    description: 'Show the tables of a database with their columns. Call it before you write a query.',
    access: 'read',
    input: z.object({
      ...organisationField,
      databaseId,
      filter: z.string().max(200).default('').describe('A part of the names of tables.'),
    }),
    output: z.object({ tables: z.array(table), left_out: z.int().describe('Tables not shown; give a filter.') }),
    async run({ input: { databaseId, filter }, lilac, targetOrganisationId, signal }) {
      const body = { targetOrganisationId, databaseId };
      const { tables } = await lilac.call('databases.explorer.schema', { body, signal });
      const matching = tables.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
      const described = matching.slice(0, MAX_TABLES).map(({ schema, name, rows, view, columns }) => ({
        name: `${schema}.${name}`,
        rows,
        is_view: view,
        columns: columns.slice(0, MAX_COLUMNS).map(describeColumn),
        columns_left_out: Math.max(0, columns.length - MAX_COLUMNS),
      }));
      const shown = fitting(described, MAX_LENGTH);
      return { tables: shown, left_out: matching.length - shown.length };
    },
  }),
  defineTool({
    name: 'query_database',
    title: 'Query a database',
    description:
      'Run one statement that reads; what would change anything is refused by the database. At most 30 seconds. Long values are cut.',
    access: 'read',
    input: z.object({
      ...organisationField,
      databaseId,
      statement: z.string().min(1).max(100_000).describe('One SQL statement in the language of the engine.'),
      parameters: z
        .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .max(100)
        .optional()
        .describe('For $1, $2 … (PostgreSQL) or ? (MySQL).'),
      limit: z.int().min(1).max(200).default(50).describe('How many rows to show.'),
    }),
    output: z.object({
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      columns_left_out: z.int().describe('Columns not shown; name those you want in the statement.'),
      rows: z.array(z.array(cell)).describe('Arrays and objects as JSON text.'),
      rows_shown: z.int(),
      has_more: z.boolean().describe('There are more rows: use LIMIT and OFFSET, or ask for sums.'),
      duration_ms: z.number(),
    }),
    async run({ input: { databaseId, statement, parameters, limit }, lilac, targetOrganisationId, signal }) {
      assertNoHash(statement);
      const body = { targetOrganisationId, databaseId, statement, parameters, readOnly: true };
      const { columns, rows, durationMs, truncated } = await lilac
        .call('databases.explorer.query', { body, signal })
        .catch(inOwnWords(READING));
      const shown = fitting(rows.slice(0, limit).map(shortenRow), MAX_LENGTH);
      return {
        columns: columns.slice(0, MAX_COLUMNS).map(({ name, type }) => ({ name: clip(name, MAX_NAME), type })),
        columns_left_out: Math.max(0, columns.length - MAX_COLUMNS),
        rows: shown,
        rows_shown: shown.length,
        has_more: truncated || shown.length < rows.length,
        duration_ms: durationMs,
      };
    },
  }),
];

function describeColumn({ name, type, nullable, primaryKey, generated }: Column): string {
  const rule = primaryKey ? 'primary key' : nullable ? '' : 'not null';
  return [name, type, rule, generated ? 'generated' : ''].filter(Boolean).join(' ');
}

const READING = [
  [/Run it with readOnly: false[^.]*\./, 'This tool only reads; a person can change rows in the console.'],
] as const;

function shortenRow(row: readonly unknown[]): Cell[] {
  const maxCell = Math.min(MAX_CELL, Math.floor(MAX_LENGTH / Math.max(1, row.length)));
  return row.slice(0, MAX_COLUMNS).map((value) => shorten(value, Math.max(maxCell, MAX_NAME)));
}

function shorten(value: unknown, maxLength: number): Cell {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return clip(hideHashes(typeof value === 'string' ? value : JSON.stringify(value)), maxLength);
}
