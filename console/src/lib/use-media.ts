import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, for what sheets cannot do by themselves. */
export function useMedia(query: string): boolean {
  const watch = useCallback(
    (listener: () => void) => {
      const watched = matchMedia(query);
      watched.addEventListener('change', listener);
      return () => watched.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(watch, () => matchMedia(query).matches);
}
