import '../cells/cells.css';
import './data.css';
import type { OutputOf } from '../../../lib/api-types.ts';
import { Link, useQuery } from '../../../lib/router.tsx';
import { useFlag } from '../../../lib/use-flag.ts';
import { useCall } from '../../../lib/use-call.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { usePermission } from '../../../shell/member-context.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { findTable, nameTable } from './addressed-table.ts';
import { TableList } from './table-list.tsx';
import { TableRows } from './table-rows.tsx';
import { UnlistedTable } from './unlisted-table.tsx';

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
        <UnlistedTable
          key={JSON.stringify([schema, name])}
          database={database}
          address={{ schema, name }}
          listed={tables}
        />
      )}
    </div>
  );
}

function NoTables({ database }: { database: Database }) {
  const canChange = usePermission('update:projects');
  const path = `/databases/${encodeURIComponent(database.id)}`;
  const canImport = useFlag('database_dump').data && canChange;
  return (
    <EmptyState
      title="No tables yet"
      actions={
        <>
          <Link href={`${path}/query`} className="button">
            Write a statement
          </Link>
          {canImport && (
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
