import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { browserReach } from './browser-session.ts';

/** Whether nobody answers at the moment. */
export function useIsLost(): boolean {
  return useSyncExternalStore(browserReach.subscribe, browserReach.isLost);
}

/** Does it when answers come again. */
export function useOnReturn(work: () => void): void {
  const onReturn = useEffectEvent(work);
  useEffect(() => browserReach.onReturn(() => onReturn()), []);
}
