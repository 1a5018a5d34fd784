import type { ReactNode } from 'react';
import { SearchBox } from '../../parts/search-box.tsx';
import { sorts } from './list-request.ts';
import type { useListAddress } from './use-list-address.ts';

type Address = ReturnType<typeof useListAddress>;

export function ListToolbar({ address, children }: { address: Address; children?: ReactNode }) {
  return (
    <div className="toolbar list-toolbar" role="search" aria-label="Applications">
      <SearchBox value={address.search} onSearch={(search) => address.change({ search })} />
      <select
        aria-label="Order"
        value={address.sort}
        onChange={(event) => address.change({ sort: event.target.value })}
      >
        {sorts.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {children}
    </div>
  );
}
