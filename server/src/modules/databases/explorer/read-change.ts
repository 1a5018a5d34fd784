import type { databases } from '@lilac/contract/databases';
import type { BodyOf } from '@lilac/contract/endpoint';
import type { InTable, RowChange, TableChange } from '../../../engines/explorer.ts';
import { invalid } from '../../../lib/fault.ts';

type SchemaBody = BodyOf<(typeof databases)['databases.explorer.schema']>;
type RowBody = BodyOf<(typeof databases)['databases.explorer.row']>;
type TableBody = BodyOf<(typeof databases)['databases.explorer.table']>;

/** Null: all of them. */
export function readWantedTable({ table, schema }: SchemaBody): InTable | null {
  if (table !== undefined) return { table, schema };
  if (schema !== undefined) throw invalid('schema needs table: send the name of the table too.');
  return null;
}

/** What each operation needs besides the table; the schema alone cannot say it. */
export function readRowChange({ table, schema, operation, values, key }: RowBody): RowChange {
  const where = { table, schema };
  if (operation === 'insert') return { ...where, operation, values: values ?? {} };
  if (!key || Object.keys(key).length === 0) throw invalid('key is required: the whole primary key of the row.');
  if (operation === 'delete') return { ...where, operation, key };
  if (!values || Object.keys(values).length === 0) throw invalid('values is required: the columns to change.');
  return { ...where, operation, values, key };
}

export function readTableChange({ table, schema, operation, columns, newName }: TableBody): TableChange {
  const where = { table, schema };
  if (operation === 'create') {
    if (!columns) throw invalid('columns is required: at least one.');
    return { ...where, operation, columns };
  }
  if (operation === 'rename') {
    if (!newName) throw invalid('newName is required.');
    return { ...where, operation, newName };
  }
  return { ...where, operation };
}
