import { useState } from 'react';
import { canBeAskedAgain } from '../../../lib/describe-error.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { usePermission } from '../../../shell/member-context.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { WholeSwitch } from '../cells/whole-switch.tsx';
import type { Table } from './data-tab.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Row } from './row-draft.ts';
import { RowDialog } from './row-dialog.tsx';
import { RowsGrid } from './rows-grid.tsx';
import { firstRows, isFirst } from './rows-request.ts';
import { useRowsAddress } from './use-rows-address.ts';
import { useRows } from './use-rows.ts';
import { Name } from '../../../parts/name.tsx';

const numbers = new Intl.NumberFormat('en-GB');

interface TableRowsProps {
  database: Database;
  table: Table;
  /** What it is called: with its schema where that tells it from others. */
  title: string;
}

export function TableRows({ database, table, title }: TableRowsProps) {
  const [request, setRequest] = useRowsAddress(table);
  const [edited, setEdited] = useState<{ row: Row | null } | null>(null);
  const [isWhole, setWhole] = useState(false);
  const canChange = usePermission('update:projects') && !table.view;
  const inTable = { ...useAddressed(database), schema: table.schema, table: table.name };
  const rows = useRows(inTable, { request, onShown: setRequest });
  const { refused, wanted } = rows;
  const isFilterRefused = refused !== null && refused.request.filters.length > request.filters.length;
  return (
    <section className="card table-rows" aria-labelledby="table-name">
      <div className="actions">
        <h2 id="table-name" className="break">
          <Name of={title} />
        </h2>
        {table.view && <Badge>view</Badge>}
        <span className="meta" role="status">
          {rows.isWaiting ? 'Loading…' : rows.data && countOf(rows.data.totalItems)}
        </span>
        <span className="pushed actions">
          <WholeSwitch isWhole={isWhole} onChange={setWhole} />
          <Button onClick={rows.reload}>Refresh</Button>
          {canChange && <Button onClick={() => setEdited({ row: null })}>Insert a row</Button>}
        </span>
      </div>
      <FilterBar
        columns={table.columns}
        request={wanted}
        refusal={isFilterRefused ? refused.error : null}
        onChange={rows.ask}
        onInput={rows.forgetRefused}
      />
      {!isFilterRefused && <ErrorNotice error={refused?.error} />}
      {rows.data && <ErrorNotice error={rows.error} />}
      <Loading of={rows}>
        {(page) => (
          <div className={rows.isWaiting ? 'table-answer table-answer-old' : 'table-answer'} aria-busy={rows.isWaiting}>
            <RowsGrid
              table={table}
              title={title}
              rows={page.items}
              request={wanted}
              isWhole={isWhole}
              canChange={canChange}
              onSort={rows.ask}
              onEdit={(row) => setEdited({ row })}
            />
            <Pager list={page} onPage={(next) => rows.ask({ ...wanted, page: next })} />
          </div>
        )}
      </Loading>
      {rows.data === undefined && rows.error !== undefined && !canBeAskedAgain(rows.error) && !isFirst(request) && (
        <div className="actions">
          <Button onClick={() => rows.ask(firstRows)}>Show all rows</Button>
        </div>
      )}
      {edited && (
        <RowDialog
          inTable={inTable}
          title={title}
          columns={table.columns}
          row={edited.row}
          onClose={() => setEdited(null)}
          onChanged={rows.reload}
        />
      )}
    </section>
  );
}

const countOf = (count: number) => `${numbers.format(count)} row${count === 1 ? '' : 's'}`;
