import { useSyncExternalStore } from 'react';

const STEP_MS = 30_000;

let nowMs = Date.now();

/** The time, renewed twice a minute while somebody looks. */
export function useNow(): number {
  return useSyncExternalStore(watchClock, () => nowMs);
}

function watchClock(listener: () => void): () => void {
  const tick = () => {
    nowMs = Date.now();
    listener();
  };
  const timer = setInterval(tick, STEP_MS);
  tick();
  return () => clearInterval(timer);
}
