import { useEffect, useState } from 'react';

/** The time, renewed every second while it matters. */
export function useSeconds(isRunning: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return nowMs;
}
