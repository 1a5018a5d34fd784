import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longer than this at a stretch would be felt by what else this process does. */
const STRETCH_MS = 5;

/**
 * Thousands of small files are looked at several times faster without the thread pool. Whoever does so
 * awaits this after each: now and then it lets others have their turn, and heeds the signal.
 */
export function createBreather(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  const rest = async () => {
    await nextTurn();
    signal.throwIfAborted();
    since = performance.now();
  };
  return () => (performance.now() - since < STRETCH_MS ? undefined : rest());
}
