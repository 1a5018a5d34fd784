import { useEffect } from 'react';
import { hasCode } from '../../../lib/has-code.ts';
import { replaceAddress } from '../../../lib/router.tsx';
import { useCall } from '../../../lib/use-call.ts';
import { Button } from '../../../parts/button.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { Name } from '../../../parts/name.tsx';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { nameAddress, nameTable, type TableAddress } from './addressed-table.ts';
import type { Table } from './data-tab.tsx';
import { TableRows } from './table-rows.tsx';

interface UnlistedTableProps {
  database: Database;
  address: TableAddress;
  listed: readonly Table[];
}

/** The list may be cut, or older than the table: only the database knows whether there is one. */
export function UnlistedTable({ database, address, listed }: UnlistedTableProps) {
  const { schema, name } = address;
  const wanted = { ...useAddressed(database), table: name, ...(schema !== '' && { schema }) };
  const asked = useCall('databases.explorer.schema', { body: wanted });
  const found = asked.data?.tables[0];
  useEffect(() => {
    if (found && (found.schema !== schema || found.name !== name)) nameExactly(found);
  }, [found, schema, name]);
  if (hasCode(asked.error, 'NF001')) return <MissingTable title={nameAddress(address)} onRetry={asked.reload} />;
  return (
    <Loading of={asked}>
      {({ tables }) =>
        tables.map((table) => (
          <TableRows
            key={JSON.stringify([table.schema, table.name])}
            database={database}
            table={table}
            title={nameTable(table, { among: listed, engine: database.database_type })}
          />
        ))
      }
    </Loading>
  );
}

/** What was typed may have its schema in front, or none; what else the address says stays. */
function nameExactly({ schema, name }: Table): void {
  const query = new URLSearchParams(location.search);
  query.set('schema', schema);
  query.set('table', name);
  replaceAddress(`${location.pathname}?${query}`);
}

/** No other one is shown in its place: its rows would be taken for those that were meant. */
function MissingTable({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <section className="card" aria-label="Missing table">
      <p className="notice break" role="status">
        There is no table <Name of={title} />. Choose one from the list.
      </p>
      <div className="actions">
        <Button onClick={onRetry}>Look again</Button>
      </div>
    </section>
  );
}
