import type { CallInput, StreamEvent, StreamName } from '@lilac/contract/client';
import { useEffect, useRef, useState } from 'react';
import { browserSession } from '../session/browser-session.ts';
import { useIsLost, useOnReturn } from '../session/use-reach.ts';
import { PageReader } from './page-reader.ts';
import { isUnanswered } from './use-call.ts';
import { useRetry } from './use-retry.ts';

interface Followed {
  /** Why it could not begin, or was ended; null while it is followed. */
  error: unknown;
  /** Nothing can come: its connection failed and is being made anew, or nobody answers at all. */
  isCut: boolean;
  /** Its connection has been there: what does not come now is not there yet. */
  isOpen: boolean;
}

/** Why one input is not followed, until it is. */
interface Failure {
  key: string;
  error: unknown;
}

const reader = new PageReader({
  isHidden: () => document.visibilityState === 'hidden',
  onChange: (listener) => document.addEventListener('visibilitychange', listener),
  schedule: (work, delayMs) => {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
});

/**
 * Follows a stream while the page is shown, over lost connections; begins anew when the input changes. A null input
 * follows nothing.
 */
export function useStream<Name extends StreamName>(
  name: Name,
  input: CallInput<Name> | null,
  onEvent: (event: StreamEvent<Name>) => void,
): Followed {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isCut, setCut] = useState(false);
  const [openedKey, setOpenedKey] = useState('');
  const [tries, setTries] = useState(0);
  const isLost = useIsLost();
  const listener = useRef(onEvent);
  useEffect(() => {
    listener.current = onEvent;
  });
  const key = JSON.stringify(input);
  useEffect(() => {
    const given = JSON.parse(key) as CallInput<Name> | null;
    if (!given) return undefined;
    const leaving = new AbortController();
    const onConnection = (isThere: boolean) => {
      setCut(!isThere);
      if (!isThere) return;
      setFailure(null);
      setOpenedKey(key);
    };
    void follow(name, { ...given, signal: leaving.signal, onConnection, reader }, (event) =>
      listener.current(event),
    ).catch((error: unknown) => leaving.signal.aborted || setFailure({ key, error }));
    return () => leaving.abort();
    // Another try is the same once more.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [name, key, tries]);
  // What another input failed with says nothing of this one.
  const error = failure?.key === key ? failure.error : null;
  useRetry(error, () => setTries(tries + 1));
  // One that never began is begun now; those that had begun go on by themselves.
  useOnReturn(() => {
    if (error !== null && isUnanswered(error)) setTries(tries + 1);
  });
  return { error, isCut: isCut || isLost, isOpen: openedKey === key };
}

async function follow<Name extends StreamName>(
  name: Name,
  input: CallInput<Name>,
  onEvent: (event: StreamEvent<Name>) => void,
): Promise<void> {
  const given = [name, input] as unknown as Parameters<typeof browserSession.stream<Name>>;
  for await (const event of browserSession.stream<Name>(...given)) onEvent(event);
}
