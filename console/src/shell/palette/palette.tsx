import { type KeyboardEvent, useDeferredValue, useId, useLayoutEffect, useRef, useState } from 'react';
import { isComposing } from '../../lib/is-composing.ts';
import { useMember } from '../member-context.ts';
import { showOverlay } from '../overlay.ts';
import { chosenByKey, indexOfChosen } from './choice.ts';
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
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { entries, isSearching } = useEntries(useDeferredValue(typed));
  const current = indexOfChosen(entries, chosenId);
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
    const moved = chosenByKey(event.key, entries, current);
    if (moved !== null) setChosenId(moved);
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
          setChosenId(null);
        }}
        onKeyDown={press}
      />
      <PaletteList {...{ id, entries, isSearching, current }} onRun={run} />
    </dialog>
  );
}

function useEntries(typed: string): { entries: PaletteEntry[]; isSearching: boolean } {
  const { entries: found, isSearching } = useFoundEntries(typed);
  const fixed = fixedEntries(useMember());
  return { entries: rankEntries(typed, [...fixed, ...found]).slice(0, MOST_SHOWN), isSearching };
}
