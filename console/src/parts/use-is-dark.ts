import { useSyncExternalStore } from 'react';

/** What the system prefers; a canvas does not follow it by itself. */
export function useIsDark(): boolean {
  return useSyncExternalStore(watch, () => preference().matches);
}

const preference = () => matchMedia('(prefers-color-scheme: dark)');

function watch(listener: () => void): () => void {
  const query = preference();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
