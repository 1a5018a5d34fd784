import { type RefObject, useEffect, useRef, useState } from 'react';
import { noteFailure } from './outcomes.ts';

interface Action<A extends unknown[]> {
  /** Resolves to whether the work succeeded; a failure is kept in `error`. */
  run: (...parameters: A) => Promise<boolean>;
  isBusy: boolean;
  /** The last run succeeded. */
  isDone: boolean;
  error: unknown;
  /** As if it had never run: for what is opened anew. */
  forget: () => void;
}

/**
 * Something a person starts: busy while it runs, with its last failure beside it. Where nothing of it is shown any more
 * by then, a notice tells of the failure.
 */
export function useAction<A extends unknown[]>(work: (...parameters: A) => Promise<unknown>): Action<A> {
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isShown = useIsShown();
  const run = async (...parameters: A): Promise<boolean> => {
    const beginning = { href: location.pathname, windowTitle: document.title };
    setBusy(true);
    setDone(false);
    setError(null);
    try {
      await work(...parameters);
      setDone(true);
      return true;
    } catch (failure) {
      setError(failure);
      if (!isShown.current) noteFailure(beginning, failure);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const forget = () => {
    setDone(false);
    setError(null);
  };
  return { run, isBusy, isDone, error, forget };
}

function useIsShown(): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  return isShown;
}
