import { z } from 'zod';
import { message, pageFields, pageOf } from './common-shapes.ts';
import { ofDatabase, ofDatabaseFields as addressedBody } from './database-scope.ts';
import { destroys, endpoint, readOnly, writes } from './endpoint.ts';
import { MOST_TABLES } from './explorer-limits.ts';

const explored = { ...ofDatabase, feature: 'data_explorer' } as const;

const QUERY_ID_FORM = '8 to 48 ASCII letters, digits, - or _';
const queryId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,48}$/)
  .meta({ description: QUERY_ID_FORM });

/** What a cell may be: numbers that JSON cannot hold, times and bytes (as \\x hexadecimal) arrive as text. */
const cell = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);
const cells = z.record(z.string().max(128), cell);
const tableName = z.string().min(1).max(128);
const schemaName = z.string().min(1).max(128).optional().meta({ description: "left out: the engine's usual one" });
const inTable = { ...addressedBody, table: tableName.meta({ description: 'its name' }), schema: schemaName };

const rowFilter = z.object({
  column: z.string().min(1).max(128),
  operator: z.enum(['=', '!=', '<', '<=', '>', '>=', 'contains', 'is null', 'is not null']),
  value: cell.optional(),
});

const newColumn = z.object({
  name: z.string().min(1).max(63),
  type: z.string().min(1).max(100).meta({ description: 'a type of the engine: `bigint`, `varchar(200)`, `jsonb`' }),
  nullable: z.boolean().default(true),
  primaryKey: z.boolean().default(false),
});

/** What is in a database: tables, rows, statements. */
export const databaseExplorer = {
  'databases.explorer.schema': endpoint({
    ...explored,
    path: '/api/databases/explorer/schema',
    summary: 'List tables and their columns',
    description: `Lists the first ${MOST_TABLES.toLocaleString('en')}. One that is named is answered alone, also where it is not among those.`,
    permission: 'read:projects',
    body: z.object({
      ...addressedBody,
      table: tableName.optional().meta({ description: 'only this one' }),
      schema: schemaName.meta({ description: "of `table`; left out: the engine's usual one" }),
    }),
    output: z.object({
      tables: z.array(
        z.object({
          schema: z.string(),
          name: z.string(),
          view: z.boolean().meta({ description: 'its rows are computed from others' }),
          rows: z.int().meta({ description: "the engine's estimate" }),
          columns: z.array(
            z.object({
              name: z.string(),
              type: z.string(),
              nullable: z.boolean(),
              default: z.string().nullable(),
              primaryKey: z.boolean(),
              generated: z.boolean().meta({ description: 'the engine makes its values, and takes none' }),
              list: z.boolean().meta({ description: 'its values are arrays, whatever the type is called' }),
            }),
          ),
        }),
      ),
    }),
    cli: ['db', 'schema'],
    mcp: readOnly,
    errors: ['CF001', 'NF001', 'DB001', 'SV002'],
  }),
  'databases.explorer.rows': endpoint({
    ...explored,
    path: '/api/databases/explorer/rows',
    summary: 'Show rows of one table, page by page',
    description:
      'Of a table too large to be counted within a few seconds, the number of rows is an estimate. Values that are very ' +
      'long are cut, with a mark at their end.',
    permission: 'read:projects',
    body: z.object({
      ...inTable,
      ...pageFields,
      sortColumn: z.string().max(128).optional().meta({ description: 'left out: the primary key' }),
      sortOrder: z.enum(['asc', 'desc']).default('asc'),
      filters: z
        .array(rowFilter)
        .max(20)
        .optional()
        .meta({ description: 'all of them hold; one is `{"column":"id","operator":"=","value":5}`' }),
    }),
    output: pageOf(cells),
    cli: ['db', 'rows'],
    mcp: readOnly,
    errors: ['CF001', 'NF001', 'DB001', 'SV002'],
  }),
  'databases.explorer.query': endpoint({
    ...explored,
    path: '/api/databases/explorer/query',
    summary: 'Run one statement',
    description:
      'Reads only, unless `readOnly` is false, which needs `update:projects`. At most 1,000 rows are answered, and ' +
      'after 30 seconds it is ended. One with a `queryId` can be cancelled by that.',
    permission: 'read:projects',
    body: z.object({
      ...addressedBody,
      statement: z.string().min(1).max(100_000).meta({ description: 'in the SQL of the engine' }),
      parameters: z.array(cell).max(1000).optional().meta({ description: 'for $1, $2 … (PostgreSQL) or ? (MySQL)' }),
      readOnly: z
        .boolean()
        .default(true)
        .meta({ description: 'false: it may change something, which needs the permission to' }),
      queryId: queryId
        .optional()
        .meta({ description: `${QUERY_ID_FORM}; chosen by the caller, to end the statement by` }),
    }),
    output: z.object({
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      rows: z.array(z.array(cell)),
      rowCount: z.int().meta({ description: 'rows answered, or changed' }),
      durationMs: z.number(),
      truncated: z.boolean().meta({ description: 'there are more rows' }),
    }),
    cli: ['db', 'query'],
    mcp: readOnly,
    errors: ['CF001', 'DB001', 'SV002'],
  }),
  'databases.explorer.cancel': endpoint({
    ...explored,
    path: '/api/databases/explorer/cancel',
    summary: 'End a statement that runs',
    permission: 'read:projects',
    body: z.object({ ...addressedBody, queryId }),
    output: z.object({ cancelled: z.boolean().meta({ description: 'false: it runs no more' }) }),
    cli: null,
    mcp: null,
    errors: ['CF001', 'SV002'],
  }),
  'databases.explorer.row': endpoint({
    ...explored,
    path: '/api/databases/explorer/row',
    summary: 'Insert, update or delete one row',
    permission: 'update:projects',
    body: z.object({
      ...inTable,
      operation: z.enum(['insert', 'update', 'delete']),
      values: cells.optional().meta({ description: 'for insert and update' }),
      key: cells.optional().meta({ description: 'the whole primary key, for update and delete' }),
    }),
    output: z.object({ row: cells.nullable().meta({ description: 'as it is now; null when it is gone' }) }),
    cli: null,
    mcp: writes,
    errors: ['CF001', 'NF001', 'DB001', 'SV002'],
  }),
  'databases.explorer.table': endpoint({
    ...explored,
    path: '/api/databases/explorer/table',
    summary: 'Create, rename, empty or drop a table',
    permission: 'update:projects',
    body: z.object({
      ...inTable,
      operation: z.enum(['create', 'rename', 'truncate', 'drop']),
      columns: z.array(newColumn).min(1).max(200).optional().meta({ description: 'for create' }),
      newName: z.string().min(1).max(63).optional().meta({ description: 'for rename' }),
    }),
    output: message,
    cli: null,
    mcp: destroys,
    errors: ['CF001', 'NF001', 'DB001', 'SV002'],
  }),
};
