import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { browserSession } from './browser-session.ts';
import type { SessionState } from './session.ts';

/** What the platform was asked may be done a moment after its answer was given up. */
const STILL_BUSY_MS = 3000;

/** Does it when something may have been changed and nobody knows: at once, and again when it is surely over. */
export function useOnAnswerLost(work: () => void): void {
  const onLost = useEffectEvent(work);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const forget = browserSession.onAnswerLost(() => {
      onLost();
      clearTimeout(timer);
      timer = setTimeout(() => onLost(), STILL_BUSY_MS);
    });
    return () => {
      clearTimeout(timer);
      forget();
    };
  }, []);
}

export function useSession(): SessionState {
  return useSyncExternalStore(browserSession.subscribe, browserSession.state);
}
