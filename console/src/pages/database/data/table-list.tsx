import { useState } from 'react';
import { Link, usePath } from '../../../lib/router.tsx';
import { Button } from '../../../parts/button.tsx';
import type { Table } from './data-tab.tsx';
import { Name } from '../../../parts/name.tsx';

interface TableListProps {
  tables: readonly Table[];
  /** Null: what is looked for is none of them. */
  current: Table | null;
  onRefresh: () => void;
}

const SEARCHED_FROM = 9;
const numbers = new Intl.NumberFormat('en', { notation: 'compact' });

export function TableList({ tables, current, onRefresh }: TableListProps) {
  const [search, setSearch] = useState('');
  const found = tables.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const schemas = [...new Set(found.map(({ schema }) => schema))];
  return (
    <nav className="card tables" aria-label="Tables">
      <div className="actions tables-head">
        <h2>Tables</h2>
        <Button look="quiet" onClick={onRefresh}>
          Refresh
        </Button>
      </div>
      {tables.length >= SEARCHED_FROM && (
        <input
          type="search"
          aria-label="Search tables"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {schemas.map((schema) => (
        <div key={schema}>
          <p className="meta break">
            <Name of={schema} />
          </p>
          <ul>
            {found
              .filter((table) => table.schema === schema)
              .map((table) => (
                <TableEntry key={table.name} table={table} isCurrent={table === current} />
              ))}
          </ul>
        </div>
      ))}
      {found.length === 0 && <p className="meta">No table is called so.</p>}
    </nav>
  );
}

function TableEntry({ table: { schema, name, view, rows }, isCurrent }: { table: Table; isCurrent: boolean }) {
  const href = `${usePath()}?${new URLSearchParams({ schema, table: name })}`;
  return (
    <li>
      <Link href={href} className="table-entry" aria-current={isCurrent || undefined}>
        <span className="break">
          <Name of={name} />
        </span>
        <span className="meta">{view ? 'view' : `≈ ${numbers.format(Math.max(0, rows))}`}</span>
      </Link>
    </li>
  );
}
