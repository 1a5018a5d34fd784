import { useSyncExternalStore } from 'react';

export type Overlay = 'palette' | 'shortcuts';

const CHANGED = 'lilac:overlay-changed';
let shown: Overlay | null = null;

/** What lies over the page; whoever opens it need not hold it. */
export function showOverlay(next: Overlay | null): void {
  if (next === shown) return;
  shown = next;
  dispatchEvent(new Event(CHANGED));
}

export function useOverlay(): Overlay | null {
  return useSyncExternalStore(watchOverlay, () => shown);
}

function watchOverlay(listener: () => void): () => void {
  addEventListener(CHANGED, listener);
  return () => removeEventListener(CHANGED, listener);
}
