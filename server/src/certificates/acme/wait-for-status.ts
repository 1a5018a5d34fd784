import { setTimeout as delay } from 'node:timers/promises';
import { AuthorityUnavailable } from '../certificate-authority.ts';
import { wishedWaitMs } from './acme-transport.ts';

const FIRST_MS = 100;
const MAX_MS = 3000;
const PATIENCE_MS = 120_000;

/** Asks again until its status is another; the first time at once. */
export async function waitForStatus<T extends { status: string }>(
  ask: () => Promise<T>,
  { unlike, signal }: { unlike: readonly string[]; signal: AbortSignal },
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(MAX_MS, waitMs * 1.5)) {
    const found = await ask();
    if (!unlike.includes(found.status)) return found;
    if (performance.now() > deadline) {
      throw new AuthorityUnavailable(`The certificate authority takes too long: it is still ${found.status}.`);
    }
    await delay(Math.max(waitMs, wishedWaitMs()), undefined, { signal });
  }
}
