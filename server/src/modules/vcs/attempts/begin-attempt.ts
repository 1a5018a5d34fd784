import type { GitProvider } from '@lilac/contract/states';
import { newId } from '../../../lib/ids.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { ATTEMPT_SECONDS, issueAttemptCookie } from './attempt-cookie.ts';
import { proofOf, writeState } from './attempt-signature.ts';
import { dropAbandoned, insertAttempt } from './attempt-store.ts';

export interface Beginning {
  organisationId: string;
  userId: string;
  provider: GitProvider;
}

export interface Begun {
  /** Goes to the host and comes back. */
  state: string;
  /** A whole Set-Cookie header, for the browser that began. */
  cookie: string;
}

/** So many may lie about unfinished, per person: tabs that were closed, addresses that nobody went to. */
const MAX_UNFINISHED = 20;

export async function beginAttempt(deps: VcsDeps, beginning: Beginning): Promise<Begun> {
  const { config, clock, stateKey } = deps;
  const { provider } = beginning;
  const id = newId('vca');
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + ATTEMPT_SECONDS * 1000);
  await deps.store.db.transaction().execute(async (tx) => {
    await insertAttempt(tx, { id, ...beginning, now, expiresAt });
    await dropAbandoned(tx, { ...beginning, keep: MAX_UNFINISHED });
  });
  return {
    state: writeState(stateKey, provider, id),
    cookie: issueAttemptCookie({ config, provider, attemptId: id }, proofOf(stateKey, id)),
  };
}
