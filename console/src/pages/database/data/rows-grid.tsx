import { Button } from '../../../parts/button.tsx';
import { CellView } from '../cells/cell-view.tsx';
import type { Column, Table } from './data-tab.tsx';
import { cellIn, keyOf, type Row } from './row-draft.ts';
import { type RowsRequest, sortedBy } from './rows-request.ts';
import { Name } from '../../../parts/name.tsx';
import { showMarks } from '../../../lib/visible-name.ts';

interface RowsGridProps {
  table: Table;
  title: string;
  rows: readonly Row[];
  request: RowsRequest;
  isWhole: boolean;
  canChange: boolean;
  onSort: (request: RowsRequest) => void;
  onEdit: (row: Row) => void;
}

export function RowsGrid({ table: { columns }, title, rows, request, isWhole, canChange, ...on }: RowsGridProps) {
  const { onSort, onEdit } = on;
  const isEditable = canChange && columns.some(({ primaryKey }) => primaryKey);
  return (
    <>
      <div
        className={isWhole ? 'grid grid-whole' : 'grid'}
        tabIndex={0}
        role="region"
        aria-label={showMarks(`Rows of ${title}`)}
      >
        <table>
          <thead>
            <tr>
              {isEditable && (
                <th scope="col">
                  <span className="visually-hidden">Edit</span>
                </th>
              )}
              {columns.map((column) => (
                <SortableHead key={column.name} column={column} request={request} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // Rows have no other name than their place where a table has no key.
              <tr key={JSON.stringify(keyOf(columns, row) ?? index)}>
                {isEditable && (
                  <td>
                    {keyOf(columns, row) && (
                      <Button look="quiet" onClick={() => onEdit(row)} aria-label={`Edit row ${index + 1}`}>
                        Edit
                      </Button>
                    )}
                  </td>
                )}
                {columns.map(({ name: column, type }) => (
                  <td key={column}>
                    <CellView value={cellIn(row, column)} type={type} isWhole={isWhole} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === 0 && <p className="meta">No rows{request.filters.length > 0 ? ' match the filters' : ''}.</p>}
      {canChange && !isEditable && <p className="hint">Rows can be edited here where a table has a primary key.</p>}
    </>
  );
}

const directions = { asc: 'ascending', desc: 'descending' } as const;

function SortableHead({ column, request, onSort }: { column: Column } & Pick<RowsGridProps, 'request' | 'onSort'>) {
  const direction = request.sortColumn === column.name ? request.sortOrder : null;
  return (
    <th scope="col" aria-sort={direction ? directions[direction] : undefined}>
      <button type="button" className="sorter" onClick={() => onSort(sortedBy(request, column.name))}>
        <Name of={column.name} />
        {direction && <span aria-hidden="true"> {direction === 'asc' ? '↑' : '↓'}</span>}
      </button>
      <span className="grid-type">
        <Name of={column.type} />
        {column.primaryKey && ' · key'}
      </span>
    </th>
  );
}
