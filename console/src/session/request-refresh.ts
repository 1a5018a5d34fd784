import { ApiError, createClient } from '@lilac/contract/client';
import type { RefreshAttempt } from './refresh-attempt.ts';
import type { RememberedSession } from './remembered-session.ts';
import type { Lock } from './refresh-lock.ts';

export interface RefreshDeps {
  baseUrl: string;
  fetch: typeof fetch;
  lock: Lock;
  attempt: RefreshAttempt;
  remembered: RememberedSession;
  wait(ms: number): Promise<void>;
}

/** Long enough for the answer that another tab waits for, far shorter than the server's grace. */
const OVERTAKEN_WAIT_MS = 400;
const MAX_TRIES = 3;

/** A new access token for the cookie, or null when nobody is signed in. Throws when the platform does not answer. */
export async function requestRefresh(deps: RefreshDeps): Promise<string | null> {
  return await deps.lock(async () => {
    for (let tries = 1; ; tries++) {
      const answer = await refreshOnce(deps);
      if (!answer.isRefused || tries === MAX_TRIES) return answer.token;
      // Without locks another tab may have used the cookie a moment ago; its successor is about to be in place.
      await deps.wait(OVERTAKEN_WAIT_MS * (0.5 + Math.random()));
    }
  });
}

interface RefreshAnswer {
  token: string | null;
  /** There was a cookie, but a dead one. */
  isRefused: boolean;
}

async function refreshOnce({ baseUrl, fetch, attempt, remembered }: RefreshDeps): Promise<RefreshAnswer> {
  // The new cookie must arrive even when the page goes away meanwhile.
  const lasting: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: true });
  const headers = { 'Idempotency-Key': attempt.begin(), ...remembered.headers() };
  try {
    const { token } = await createClient({ baseUrl, fetch: lasting }).call('auth.refresh', { headers });
    attempt.end();
    return { token, isRefused: false };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    attempt.end();
    return { token: null, isRefused: error.code !== 'CA001' };
  }
}
