import '../cells/cells.css';
import './data.css';
import type { OutputOf } from '../../../lib/api-types.ts';
import { Link, useQuery } from '../../../lib/router.tsx';
import { useFlag } from '../../../lib/use-flag.ts';
import { useCall } from '../../../lib/use-call.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loading } from '../../../parts/loading.tsx';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { findTable, nameAddress, nameTable } from './addressed-table.ts';
import { TableList } from './table-list.tsx';
import { TableRows } from './table-rows.tsx';
import { Name } from '../../../parts/name.tsx';

export type Table = OutputOf<'databases.explorer.schema'>['tables'][number];
export type Column = Table['columns'][number];

/** What is in it: its tables, and the rows of one of them. */
export function DataTab({ database }: { database: Database }) {
  const addressed = useAddressed(database);
  const isThere = database.status !== 'provisioning';
  const schema = useCall('databases.explorer.schema', isThere ? { body: addressed } : null);
  if (!isThere) return <p className="card about">Its tables are shown as soon as it is set up.</p>;
  return (
    <Loading of={schema}>
      {({ tables }) =>
        tables.length === 0 ? (
          <NoTables database={database} />
        ) : (
          <Explorer database={database} tables={tables} onChanged={schema.reload} />
        )
      }
    </Loading>
  );
}

interface ExplorerProps {
  database: Database;
  tables: readonly Table[];
  onChanged: () => void;
}

function Explorer({ database, tables, onChanged }: ExplorerProps) {
  const [schema] = useQuery('schema');
  const [name] = useQuery('table');
  const table = findTable(tables, { schema, name });
  return (
    <div className="explorer">
      <TableList tables={tables} current={table} onRefresh={onChanged} />
      {table ? (
        <TableRows
          key={JSON.stringify([table.schema, table.name])}
          database={database}
          table={table}
          title={nameTable(table, { among: tables, engine: database.database_type })}
        />
      ) : (
        <MissingTable title={nameAddress({ schema, name })} />
      )}
    </div>
  );
}

/** No other one is shown in its place: its rows would be taken for those that were meant. */
function MissingTable({ title }: { title: string }) {
  return (
    <section className="card" aria-label="Missing table">
      <p className="notice break" role="status">
        There is no table <Name of={title} /> any more. Choose one from the list.
      </p>
    </section>
  );
}

function NoTables({ database }: { database: Database }) {
  const path = `/databases/${encodeURIComponent(database.id)}`;
  const hasDumps = useFlag('database_dump').data;
  return (
    <EmptyState
      title="No tables yet"
      actions={
        <>
          <Link href={`${path}/query`} className="button">
            Write a statement
          </Link>
          {hasDumps && (
            <Link href={`${path}/backups`} className="button">
              Import a dump
            </Link>
          )}
        </>
      }
    >
      What your applications create is shown here.
    </EmptyState>
  );
}
