import { createSemaphore, type Semaphore } from '../../lib/semaphore.ts';

/** One at a time for each name, in order of asking. */
export function createTurns() {
  const held = new Map<string, { turn: Semaphore; count: number }>();
  return async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const entry = held.get(name) ?? { turn: createSemaphore(1), count: 0 };
    held.set(name, entry);
    entry.count++;
    try {
      return await entry.turn.run(work);
    } finally {
      if (--entry.count === 0) held.delete(name);
    }
  };
}
