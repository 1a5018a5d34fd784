import { setImmediate as nextTurn } from 'node:timers/promises';

export type Breathe = () => Promise<void> | undefined;

/** Longer than this at a stretch would be felt by what else this process does. */
const STRETCH_MS = 5;

/**
 * Thousands of small things are done several times faster without the thread pool. Whoever does so awaits
 * this after each: now and then it lets others have their turn, and it heeds the signal.
 */
export function createBreather(signal?: AbortSignal): Breathe {
  let since = performance.now();
  const rest = async () => {
    await nextTurn();
    signal?.throwIfAborted();
    since = performance.now();
  };
  return () => {
    signal?.throwIfAborted();
    return performance.now() - since < STRETCH_MS ? undefined : rest();
  };
}
