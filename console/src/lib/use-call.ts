import type { CallInput } from '@lilac/contract/client';
import type { EndpointName } from '@lilac/contract/endpoints';
import { useCallback, useEffect, useRef, useState } from 'react';
import { browserSession } from '../session/browser-session.ts';
import type { OutputOf } from './api-types.ts';

export interface Loaded<T> {
  data?: T;
  error?: unknown;
  reload: () => void;
}

/** Calls an endpoint when the page is shown, and again when the input changes. */
export function useCall<Name extends EndpointName>(name: Name, input: CallInput<Name>): Loaded<OutputOf<Name>> {
  const [answer, setAnswer] = useState<{ data?: OutputOf<Name>; error?: unknown }>({});
  const key = JSON.stringify(input);
  const turns = useRef(0);
  const reload = useCallback(() => {
    // An answer that was overtaken by a later question is nobody's.
    const turn = ++turns.current;
    const show = (next: typeof answer) => turn === turns.current && setAnswer(next);
    const given = [name, JSON.parse(key)] as unknown as Parameters<typeof browserSession.call<Name>>;
    browserSession.call<Name>(...given).then(
      (data) => show({ data }),
      (error: unknown) => show({ error }),
    );
  }, [name, key]);
  useEffect(reload, [reload]);
  return { ...answer, reload };
}
