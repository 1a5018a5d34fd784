import type { Clock } from '../../../lib/clock.ts';

/** What is kept for a while, and not too much of it: the oldest goes first. */
export interface Memory<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  forget(key: string): void;
}

export function createMemory<T>({ clock, keepMs, count }: { clock: Clock; keepMs: number; count: number }): Memory<T> {
  const kept = new Map<string, { value: T; until: number }>();
  return {
    get(key) {
      const found = kept.get(key);
      if (found && found.until > clock.now().getTime()) return found.value;
      kept.delete(key);
      return undefined;
    },
    set(key, value) {
      kept.delete(key);
      kept.set(key, { value, until: clock.now().getTime() + keepMs });
      if (kept.size > count) kept.delete(kept.keys().next().value!);
    },
    forget: (key) => void kept.delete(key),
  };
}
