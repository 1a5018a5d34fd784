import { useEffect, useEffectEvent } from 'react';

/** Does it again and again; not while the page is hidden, and at once when it is shown again. Null: never. */
export function useWhileSeen(work: () => void, everyMs: number | null): void {
  const onDue = useEffectEvent(work);
  useEffect(() => {
    if (everyMs === null) return undefined;
    const run = () => {
      if (document.visibilityState === 'visible') onDue();
    };
    const timer = setInterval(run, everyMs);
    document.addEventListener('visibilitychange', run);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', run);
    };
  }, [everyMs]);
}
