import { useSyncExternalStore } from 'react';
import { browserSession } from './browser-session.ts';
import type { SessionState } from './session.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(browserSession.subscribe, browserSession.state);
}
