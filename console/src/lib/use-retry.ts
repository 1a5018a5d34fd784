import { mayPass } from '@lilac/contract/client';
import { useEffect, useEffectEvent, useRef } from 'react';
import { pauseBeforeRetry } from './pause-before-retry.ts';

/** Tries again by itself after what may pass, ever more rarely; a page that nobody sees waits until somebody does. */
export function useRetry(error: unknown, retry: () => void): void {
  const failures = useRef(0);
  const onDue = useEffectEvent(retry);
  useEffect(() => {
    if (!mayPass(error)) {
      failures.current = 0;
      return undefined;
    }
    const leaving = new AbortController();
    const run = () => {
      if (document.visibilityState === 'visible') onDue();
      else document.addEventListener('visibilitychange', run, { once: true, signal: leaving.signal });
    };
    const timer = setTimeout(run, pauseBeforeRetry(++failures.current, error));
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [error]);
}
