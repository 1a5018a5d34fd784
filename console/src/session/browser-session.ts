import { isAnswering } from '../lib/is-answering.ts';
import { keptByBrowser } from '../lib/kept-texts.ts';
import { hasUnsaved } from '../lib/leaving.ts';
import { Reach } from './reach.ts';
import { refreshLock } from './refresh-lock.ts';
import { storedRefreshAttempt } from './refresh-attempt.ts';
import { storedSession } from './remembered-session.ts';
import { Session } from './session.ts';
import { startAnew } from './start-anew.ts';
import { browserTabChannel } from './tab-channel.ts';

function schedule(work: () => void, delayMs: number): () => void {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
}

/** Whether this page still has its platform. */
export const browserReach = new Reach({ isAnswering, schedule });

/** The one session of this page. */
export const browserSession = new Session({
  baseUrl: location.origin,
  fetch: browserReach.watch((input, init) => fetch(input, init)),
  lock: refreshLock(navigator.locks),
  attempt: storedRefreshAttempt(keptByBrowser),
  remembered: storedSession(keptByBrowser),
  tabs: browserTabChannel(),
  hasUnsaved,
  startAnew,
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  schedule,
});
