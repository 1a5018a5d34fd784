import { useCallback, useEffect, useRef, useState } from 'react';
import { useOnReturn } from '../session/use-reach.ts';
import { useOnAnswerLost } from '../session/use-session.ts';
import { isUnanswered, type Loaded } from './use-call.ts';
import { useRetry } from './use-retry.ts';

/** What takes more than one call: read when the page is shown, and again when `read` is another. */
export function useRead<T>(read: () => Promise<T>): Loaded<T> {
  const [answer, setAnswer] = useState<Omit<Loaded<T>, 'reload'>>({});
  const turns = useRef(0);
  const reload = useCallback(() => {
    // An answer that was overtaken by a later question is nobody's.
    const turn = ++turns.current;
    read().then(
      (data) => turn === turns.current && setAnswer({ data }),
      (error: unknown) => turn === turns.current && setAnswer((before) => ({ ...before, error })),
    );
  }, [read]);
  useEffect(reload, [reload]);
  useOnReturn(() => isUnanswered(answer.error) && reload());
  useOnAnswerLost(reload);
  useRetry(answer.error, reload);
  return { ...answer, reload };
}
