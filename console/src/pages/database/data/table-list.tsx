import { MOST_TABLES } from '@lilac/contract/explorer-limits';
import { type FormEvent, useState } from 'react';
import { formatCount } from '../../../lib/format-count.ts';
import { Link, navigate, usePath } from '../../../lib/router.tsx';
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
const LONGEST_NAME = 128;
const counts = new Intl.NumberFormat('en');

export function TableList({ tables, current, onRefresh }: TableListProps) {
  // The list does not say whether it is whole.
  const isCut = tables.length >= MOST_TABLES;
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
      {isCut && <OpenByName />}
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
      {found.length === 0 && (
        <p className="meta">{isCut ? 'None of those listed is called so.' : 'No table is called so.'}</p>
      )}
    </nav>
  );
}

/** What is not listed is found all the same: whether there is such a table is asked. */
function OpenByName() {
  const path = usePath();
  const open = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const table = new FormData(event.currentTarget).get('table') as string;
    navigate(`${path}?${new URLSearchParams({ table })}`);
  };
  return (
    <form className="stack" aria-label="Open another table" onSubmit={open}>
      <p className="meta">Only the first {counts.format(MOST_TABLES)} tables are listed. Open another by its name.</p>
      <div className="actions">
        <input
          name="table"
          className="grows"
          aria-label="Name of the table"
          placeholder="table or schema.table"
          maxLength={LONGEST_NAME}
          required
        />
        <Button type="submit">Open</Button>
      </div>
    </form>
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
        <span className="meta">{view ? 'view' : `≈ ${formatCount(Math.max(0, rows))}`}</span>
      </Link>
    </li>
  );
}
