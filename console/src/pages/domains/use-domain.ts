import { noDomain } from '@lilac/contract/domain-steps';
import { useCallback, useEffect, useRef, useState } from 'react';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { type DomainState, type Environment, pauseAfter } from './domain-state.ts';

interface Look {
  /** Undefined until it has come. */
  state: DomainState | undefined;
  /** The platform has said so; false: it is what there is as far as the list of environments tells. */
  isTold: boolean;
  /** Why the last look did not come to anything. */
  error: unknown;
  unchangedLooks: number;
}

/** How far a domain is, looked at again and again while there is something to wait for. */
export function useDomain({ id, custom_domain }: Environment) {
  const { organisation } = useMember();
  const [look, setLook] = useState<Look>(() => ({
    state: custom_domain === null ? noDomain : undefined,
    isTold: false,
    error: null,
    unchangedLooks: 0,
  }));
  const turns = useRef(0);
  /** An answer that comes after this one, to an earlier question, is nobody's. */
  const adopt = useCallback((state: DomainState) => {
    turns.current++;
    setLook({ state, isTold: true, error: null, unchangedLooks: 0 });
  }, []);
  const ask = useCallback(() => {
    const turn = ++turns.current;
    const show = (next: (before: Look) => Look) => turn === turns.current && setLook(next);
    const body = { targetOrganisationId: organisation.id, environmentId: id };
    browserSession.call('environments.check-domain', { body }).then(
      (state) =>
        show((before) => ({ state, isTold: true, error: null, unchangedLooks: unchangedAfter(before, state) })),
      (error: unknown) => show((before) => ({ ...before, error, unchangedLooks: Infinity })),
    );
  }, [organisation.id, id]);
  useEffect(() => {
    const pause = pauseUntilNext(look);
    return pause === null ? undefined : lookAfter(pause, ask);
  }, [look, ask]);
  return { ...look, adopt };
}

function unchangedAfter({ state: before, unchangedLooks }: Look, state: DomainState): number {
  return JSON.stringify(before) === JSON.stringify(state) ? unchangedLooks + 1 : 0;
}

function pauseUntilNext({ state, isTold, error, unchangedLooks }: Look): number | null {
  if (state && isTold) return pauseAfter(state, unchangedLooks);
  return error === null ? 0 : RETRY_MS;
}

const RETRY_MS = 15_000;

/** A page that nobody sees waits until somebody does. */
function lookAfter(pause: number, ask: () => void): () => void {
  const askWhenSeen = () => {
    if (!document.hidden) ask();
    else document.addEventListener('visibilitychange', ask, { once: true });
  };
  const timer = setTimeout(askWhenSeen, pause);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', ask);
  };
}
