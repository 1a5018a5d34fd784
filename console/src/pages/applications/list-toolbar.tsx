import { useEffect, useRef } from 'react';
import { sorts } from './list-request.ts';
import type { useListAddress } from './use-list-address.ts';

type Address = ReturnType<typeof useListAddress>;

export function ListToolbar({ address }: { address: Address }) {
  return (
    <div className="toolbar" role="search" aria-label="Applications">
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
    </div>
  );
}

const PAUSE_MS = 250;

/** Asks when the typing pauses. What the address says wins where it changes by other means. */
function SearchBox({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const asked = useRef(value);
  useEffect(() => {
    if (value !== asked.current) input.current!.value = value;
    asked.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (text: string) => {
    asked.current = text;
    onSearch(text);
  };
  const type = (text: string) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => ask(text), PAUSE_MS);
  };
  return (
    <input
      ref={input}
      type="search"
      className="grows"
      aria-label="Search by name"
      placeholder="Search by name"
      maxLength={200}
      defaultValue={value}
      onChange={(event) => type(event.target.value)}
    />
  );
}
