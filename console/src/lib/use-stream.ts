import type { CallInput, StreamEvent, StreamName } from '@lilac/contract/client';
import { useEffect, useRef, useState } from 'react';
import { browserSession } from '../session/browser-session.ts';

interface Followed {
  /** The stream has come to its end. */
  isOver: boolean;
  error: unknown;
}

/** Follows a stream while the page is shown, over lost connections; begins anew when the input changes. A null input follows nothing. */
export function useStream<Name extends StreamName>(
  name: Name,
  input: CallInput<Name> | null,
  onEvent: (event: StreamEvent<Name>) => void,
): Followed {
  const [ended, setEnded] = useState<{ key: string; error: unknown } | null>(null);
  const listener = useRef(onEvent);
  useEffect(() => {
    listener.current = onEvent;
  });
  const key = JSON.stringify(input);
  useEffect(() => {
    const given = JSON.parse(key) as CallInput<Name> | null;
    if (!given) return undefined;
    const leaving = new AbortController();
    void follow(name, { ...given, signal: leaving.signal }, (event) => listener.current(event)).then(
      () => leaving.signal.aborted || setEnded({ key, error: null }),
      (error: unknown) => leaving.signal.aborted || setEnded({ key, error }),
    );
    return () => leaving.abort();
  }, [name, key]);
  // What ended under another input says nothing of this one.
  return ended?.key === key ? { isOver: true, error: ended.error } : { isOver: false, error: null };
}

async function follow<Name extends StreamName>(
  name: Name,
  input: CallInput<Name>,
  onEvent: (event: StreamEvent<Name>) => void,
): Promise<void> {
  const given = [name, input] as unknown as Parameters<typeof browserSession.stream<Name>>;
  for await (const event of browserSession.stream<Name>(...given)) onEvent(event);
}
