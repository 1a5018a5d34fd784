import type { Clock } from '../../../lib/clock.ts';
import { HostUnavailable } from '../../../vcs/vcs-host.ts';
import { createMemory } from './memory.ts';

const FRESH_MS = 30_000;
const OLD_MS = 60 * 60_000;
const COUNT = 500;

export interface KeptAnswer<T> {
  value: T;
  /** When it was read, where the host does not answer now; null where it is as good as new. */
  asOf: Date | null;
}

/**
 * Answers of a host that are good for a moment, and better than nothing while it does not answer. That something is
 * not there (null) is never kept: somebody may be making it. It ends what was kept, unless that `survivesNull`: of
 * whose access is out of order only for now.
 */
export interface KeptAnswers<T extends object> {
  get(key: string, ask: () => Promise<T | null>): Promise<KeptAnswer<T> | null>;
}

export function createKeptAnswers<T extends object>(clock: Clock, { survivesNull = false } = {}): KeptAnswers<T> {
  const fresh = createMemory<KeptAnswer<T>>({ clock, keepMs: FRESH_MS, count: COUNT });
  const old = createMemory<KeptAnswer<T>>({ clock, keepMs: OLD_MS, count: COUNT });
  const underWay = new Map<string, Promise<KeptAnswer<T> | null>>();

  async function askNow(key: string, ask: () => Promise<T | null>): Promise<KeptAnswer<T> | null> {
    try {
      const value = await ask();
      if (value === null) {
        if (!survivesNull) old.forget(key);
        return null;
      }
      const answer = { value, asOf: null };
      fresh.set(key, answer);
      old.set(key, { value, asOf: clock.now() });
      return answer;
    } catch (error) {
      const kept = error instanceof HostUnavailable ? old.get(key) : undefined;
      if (kept) return kept;
      throw error;
    }
  }

  return {
    async get(key, ask) {
      const kept = fresh.get(key);
      if (kept) return kept;
      // Everybody who asks meanwhile waits for the same answer.
      const asked = underWay.get(key) ?? askNow(key, ask).finally(() => underWay.delete(key));
      underWay.set(key, asked);
      return asked;
    },
  };
}
