import type { OutputOf } from '../../../lib/api-types.ts';

export type QueryResult = OutputOf<'databases.explorer.query'>;

/** Comments may come first. */
const changesRows = /^(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(insert|update|delete|merge|replace|copy|load|with)\b/i;

interface Ran {
  statement: string;
  readOnly: boolean;
}

/** "3 rows" that came, "3 rows changed", or that it is done where it is not about rows. */
export function describeResult(
  { columns, rowCount }: Pick<QueryResult, 'columns' | 'rowCount'>,
  { statement, readOnly }: Ran,
) {
  const rows = `${rowCount.toLocaleString('en-GB')} row${rowCount === 1 ? '' : 's'}`;
  // Rows may have no columns at all; without leave to change anything, nothing was.
  if (columns.length > 0 || (readOnly && rowCount > 0)) return rows;
  return rowCount > 0 || changesRows.test(statement) ? `${rows} changed` : 'Done';
}
