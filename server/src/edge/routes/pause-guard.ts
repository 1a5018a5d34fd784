const BEAT_MS = 1000;
/** Below the time after which nobody waits for an edge any more (`route-store.ts`). */
const PAUSED_AFTER_MS = 8000;

export interface PauseGuard {
  /** To be called before anything is answered by what the edge knows. */
  check(): void;
  stop(): void;
}

/**
 * Notices that this process did not run for a while: it was stopped, or its machine was. Whoever changed something
 * meanwhile, a password say, has not waited for it, so it must not answer by what it knew.
 */
export function createPauseGuard(onPaused: () => void, pausedAfterMs = PAUSED_AFTER_MS): PauseGuard {
  let lastBeatMs = performance.now();
  let isPaused = false;
  const check = (): void => {
    if (isPaused || performance.now() - lastBeatMs < pausedAfterMs) return;
    isPaused = true;
    onPaused();
  };
  const beat = setInterval(() => {
    check();
    lastBeatMs = performance.now();
  }, BEAT_MS).unref();
  return { check, stop: () => clearInterval(beat) };
}
