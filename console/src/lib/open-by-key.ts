import type { KeyboardEvent } from 'react';

const moves = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']);

/** A closed list would take over whatever the keys pass by. Open, they only move, and Enter chooses. */
export function openByKey(event: KeyboardEvent<HTMLSelectElement>): void {
  const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  const list = event.currentTarget;
  if ((!isLetter && !moves.has(event.key)) || !('showPicker' in list)) return;
  event.preventDefault();
  list.showPicker();
}
