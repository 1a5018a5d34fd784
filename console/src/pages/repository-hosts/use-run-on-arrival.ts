import { useEffect, useRef } from 'react';

/** Once, however often the page is drawn: what a browser comes back with is good for one use. */
export function useRunOnArrival(run: () => Promise<unknown>): void {
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void run();
  });
}
