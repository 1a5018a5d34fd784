import { chooseColumns } from './choose-columns.ts';
import { plainText } from './printable.ts';
import { cut, noteOf } from './render-list.ts';
import { alignRows, columnWidths } from './table.ts';

/** What every column gets before one of them gets more. */
const SHORTEST_CELL = 14;

/** Somebody's own data as a table: names, order and values are theirs, so all of them stay as they are. */
export function renderData(names: readonly string[], rows: readonly (readonly unknown[])[], width: number): string {
  const columns = names.map((name, index) => {
    const head = plainText(name);
    const cells = rows.map((row) => dataCell(row[index]));
    const most = columnWidths([[head], ...cells.map((cell) => [cell])])[0]!;
    const least = Math.min(most, SHORTEST_CELL);
    return { head, cells, isEmpty: false, isImportant: true, least, most, width: most };
  });
  const { chosen, leftOut } = chooseColumns(columns, width);
  const lines = alignRows([
    chosen.map(({ head, width: room }) => cut(head, room)),
    ...rows.map((_, row) => chosen.map(({ cells, width: room }) => cut(cells[row]!, room))),
  ]);
  return [...lines, ...(leftOut.length > 0 ? ['', noteOf(leftOut.length)] : [])].join('\n');
}

/** As the database would write it, in one line. */
function dataCell(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return plainText(typeof value === 'string' ? value : JSON.stringify(value));
}
