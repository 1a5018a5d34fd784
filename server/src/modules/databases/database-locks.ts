import { createSemaphore, type Semaphore } from '../../lib/semaphore.ts';

/**
 * Who works on the servers of a database does so alone: jobs and the keeper are in one process, and a server that is
 * stopped on purpose is not to be started again by the one who watches it.
 */
export interface DatabaseLocks {
  hold<T>(databaseId: string, work: () => Promise<T>): Promise<T>;
  isHeld(databaseId: string): boolean;
}

export function createDatabaseLocks(): DatabaseLocks {
  const held = new Map<string, { turn: Semaphore; count: number }>();
  return {
    async hold(databaseId, work) {
      const entry = held.get(databaseId) ?? { turn: createSemaphore(1), count: 0 };
      held.set(databaseId, entry);
      entry.count++;
      try {
        return await entry.turn.run(work);
      } finally {
        if (--entry.count === 0) held.delete(databaseId);
      }
    },
    isHeld: (databaseId) => held.has(databaseId),
  };
}
