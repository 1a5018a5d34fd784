import type { CallInput, StreamEvent, StreamName } from '@lilac/contract/client';
import { useEffect, useRef, useState } from 'react';
import { browserSession } from '../session/browser-session.ts';
import { useIsLost, useOnReturn } from '../session/use-reach.ts';
import { PageReader } from './page-reader.ts';
import { isUnanswered } from './use-call.ts';
import { useRetry } from './use-retry.ts';

interface Followed {
  /** The stream has come to its end. */
  isOver: boolean;
  error: unknown;
  /** Nothing can come: its connection failed and is being made anew, or nobody answers at all. */
  isCut: boolean;
}

/** How one of the tries to follow one input came to its end. */
interface Ended {
  key: string;
  tries: number;
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

/** Follows a stream while the page is shown, over lost connections; begins anew when the input changes. A null input follows nothing. */
export function useStream<Name extends StreamName>(
  name: Name,
  input: CallInput<Name> | null,
  onEvent: (event: StreamEvent<Name>) => void,
): Followed {
  const [ended, setEnded] = useState<Ended | null>(null);
  const [isCut, setCut] = useState(false);
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
    const onConnection = (isThere: boolean) => setCut(!isThere);
    void follow(name, { ...given, signal: leaving.signal, onConnection, reader }, (event) =>
      listener.current(event),
    ).then(
      () => leaving.signal.aborted || setEnded({ key, tries, error: null }),
      (error: unknown) => leaving.signal.aborted || setEnded({ key, tries, error }),
    );
    return () => leaving.abort();
  }, [name, key, tries]);
  // What ended under another input says nothing of this one.
  const isOver = ended?.key === key && ended.tries === tries;
  const error = isOver ? ended.error : null;
  useRetry(ended?.key === key ? ended.error : null, () => setTries(tries + 1));
  // One that never began is begun now; those that had begun go on by themselves.
  useOnReturn(() => {
    if (error !== null && isUnanswered(error)) setTries(tries + 1);
  });
  return { isOver, error, isCut: isCut || isLost };
}

async function follow<Name extends StreamName>(
  name: Name,
  input: CallInput<Name>,
  onEvent: (event: StreamEvent<Name>) => void,
): Promise<void> {
  const given = [name, input] as unknown as Parameters<typeof browserSession.stream<Name>>;
  for await (const event of browserSession.stream<Name>(...given)) onEvent(event);
}
