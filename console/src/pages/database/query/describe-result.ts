import type { OutputOf } from '../../../lib/api-types.ts';

export type QueryResult = OutputOf<'databases.explorer.query'>;

/** Comments may come first. */
const changesRows = /^(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(insert|update|delete|merge|replace|copy|load|with)\b/i;

/** "3 rows" that came, "3 rows changed", or that it is done where it is not about rows. */
export function describeResult({ columns, rowCount }: Pick<QueryResult, 'columns' | 'rowCount'>, statement: string) {
  const rows = `${rowCount.toLocaleString('en-GB')} row${rowCount === 1 ? '' : 's'}`;
  if (columns.length > 0) return rows;
  return rowCount > 0 || changesRows.test(statement) ? `${rows} changed` : 'Done';
}
