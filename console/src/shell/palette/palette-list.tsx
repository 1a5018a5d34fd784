import { useEffect, useRef } from 'react';
import { Icon } from '../../parts/icon.tsx';
import type { PaletteEntry } from './palette-entry.ts';
import { Name } from '../../parts/name.tsx';

interface PaletteListProps {
  id: string;
  entries: readonly PaletteEntry[];
  /** More may be found yet. */
  isSearching: boolean;
  current: number;
  onRun: (entry: PaletteEntry) => void;
}

/** One line, or two of a phone. */
const ROOM = 60;

/** The focus stays in the field above; the keys it takes move the choice here. */
export function PaletteList({ id, entries, isSearching, current, onRun }: PaletteListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <>
      <ul ref={list} id={`${id}-list`} role="listbox" aria-label="Results">
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => onRun(entry)}
          >
            <Icon name={entry.icon} />
            <span>
              <Name of={entry.label} room={ROOM} />
            </span>
            <small>{entry.kind}</small>
          </li>
        ))}
      </ul>
      <p className="palette-count" role="status">
        {entries.length > 0 && <span className="visually-hidden">{count(entries.length)}</span>}
        {isSearching && (
          <span className="palette-searching" aria-hidden={entries.length > 0}>
            Searching…
          </span>
        )}
        {entries.length === 0 && !isSearching && 'Nothing found.'}
      </p>
    </>
  );
}

function count(results: number): string {
  return results === 1 ? '1 result' : `${results} results`;
}
