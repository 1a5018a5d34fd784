import './picker.css';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Name } from '../name.tsx';
import { indexOfChosen, matching, readKey } from './rules.ts';

interface PickerProps<T> {
  label: string;
  items: readonly T[];
  nameOf: (item: T) => string;
  /** Where two may have the same name. */
  keyOf?: (item: T) => string;
  onPick: (item: T) => void;
  /** What is chosen now, by its name: where one begins. */
  chosen?: string;
  /** Beside the name. */
  render?: (item: T) => ReactNode;
  autoFocus?: boolean;
  /** For a list that is searched elsewhere, too. */
  onTyped?: (typed: string) => void;
  /** There are others than the items, which only typing finds. */
  hasMore?: boolean;
}

const SHOWN = 50;

/** A list to search in: type, go up and down, Enter. */
export function Picker<T>({ label, items, nameOf, keyOf = nameOf, onPick, render, ...rest }: PickerProps<T>) {
  const { autoFocus, onTyped, hasMore = false, chosen } = rest;
  const id = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(() => indexOfChosen(items.slice(0, SHOWN).map(nameOf), chosen));
  const found = matching(items, typed, nameOf);
  const shown = found.slice(0, SHOWN);
  const press = (event: KeyboardEvent) => {
    const next = readKey(event.nativeEvent, active, shown.length);
    if (next === null) return;
    event.preventDefault();
    if (next === 'pick') {
      if (shown[active]) onPick(shown[active]);
      return;
    }
    setActive(next);
    document.querySelector(`#${CSS.escape(`${id}-${next}`)}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div className="picker">
      <input
        type="search"
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${active}` : undefined}
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        autoFocus={autoFocus}
        value={typed}
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
          onTyped?.(event.target.value);
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} className="picker-list">
        {shown.map((item, index) => (
          // The keyboard's way is the field above, as for every list of this kind.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={keyOf(item)}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => onPick(item)}
          >
            <span className="break">
              <Name of={nameOf(item)} />
            </span>
            {nameOf(item) === chosen && <span className="meta picker-chosen">chosen</span>}
            {render?.(item)}
          </li>
        ))}
      </ul>
      <p className="hint" role="status">
        {sayHowMany({ found: found.length, all: items.length, hasMore })}
      </p>
    </div>
  );
}

function sayHowMany({ found, all, hasMore }: { found: number; all: number; hasMore: boolean }): string {
  if (all === 0) return 'There are none.';
  if (found === 0) return 'Nothing has that name.';
  if (hasMore) return `The first ${Math.min(found, SHOWN)}: type to find others.`;
  return found > SHOWN ? `The first ${SHOWN} of ${found}: type to narrow them down.` : '';
}
