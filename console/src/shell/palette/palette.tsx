import { type KeyboardEvent, useDeferredValue, useId, useLayoutEffect, useRef, useState } from 'react';
import { isComposing } from '../../lib/is-composing.ts';
import { useMember } from '../member-context.ts';
import { showOverlay } from '../overlay.ts';
import { fixedEntries } from './fixed-entries.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { PaletteList } from './palette-list.tsx';
import { rankEntries } from './rank-entries.ts';
import { useFoundEntries } from './use-found-entries.ts';
import './palette.css';

const MOST_SHOWN = 50;

/** Type a few letters, press Enter: the quick way to anything. */
export function Palette({ typed: typedBefore }: { typed: string }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(typedBefore);
  const [chosen, setChosen] = useState(0);
  const entries = useEntries(useDeferredValue(typed));
  const current = Math.min(chosen, entries.length - 1);
  // At once: between the one that stood in and this, no key falls on the page.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    const field = input.current;
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);

  const run = (entry: PaletteEntry) => {
    dialog.current?.close();
    showOverlay(null);
    entry.run();
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const moved = moveOf(event.key, current, entries.length);
    if (moved !== null) setChosen(moved);
    else if (event.key === 'Enter' && entries[current]) run(entries[current]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Search"
      onClose={() => showOverlay(null)}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <input
        ref={input}
        type="text"
        enterKeyHint="go"
        role="combobox"
        aria-label="Search"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries[current] && `${id}-${current}`}
        placeholder="Search pages, applications, databases…"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        autoFocus
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <PaletteList id={id} entries={entries} current={current} onRun={run} />
    </dialog>
  );
}

function useEntries(typed: string): PaletteEntry[] {
  const found = useFoundEntries(typed);
  const fixed = fixedEntries(useMember());
  return rankEntries(typed, [...fixed, ...found]).slice(0, MOST_SHOWN);
}

/** Around at the ends; null for keys that choose nothing. */
function moveOf(key: string, current: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (current + 1) % count;
  if (key === 'ArrowUp') return (current - 1 + count) % count;
  if (key === 'PageDown') return Math.min(current + 8, count - 1);
  if (key === 'PageUp') return Math.max(current - 8, 0);
  return null;
}
