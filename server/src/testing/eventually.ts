import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the condition holds; fails when it does not in a generous time. */
export async function eventually(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 100_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}.`);
    await delay(10);
  }
}
