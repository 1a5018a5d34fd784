import { setTimeout as delay } from 'node:timers/promises';

const LONGEST_MS = 100_000;

/**
 * Waits until the condition holds; fails when it does not in a generous time. It looks ever more seldom: a look costs
 * what is waited for a part of the machine.
 */
export async function eventually(
  what: string,
  isTrue: () => Promise<boolean> | boolean,
  longestMs = LONGEST_MS,
): Promise<void> {
  const startedAt = Date.now();
  while (!(await isTrue())) {
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > longestMs) throw new Error(`Waited in vain until ${what}.`);
    await delay(Math.min(50, 10 + waitedMs / 50));
  }
}
