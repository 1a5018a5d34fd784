import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EngineRefused } from './engine.ts';
import { withinTime } from './within-time.ts';

const deaf = () => new Promise<never>(() => {});
const polite = (signal: AbortSignal) => delay(60_000, undefined, { signal });

it('gives on what is answered in time, and ends what is left of asking', async () => {
  let given: AbortSignal | undefined;
  const ask = async (signal: AbortSignal) => {
    given = signal;
    await delay(1);
    return signal.aborted;
  };
  expect(await withinTime({ timeoutMs: 60_000, name: 'PostgreSQL' }, ask)).toBe(false);
  expect(given?.aborted).toBe(true);
});

it('gives on a failure as it is', async () => {
  const failure = new Error('no');
  await expect(withinTime({ timeoutMs: 60_000, name: 'x' }, () => Promise.reject(failure))).rejects.toBe(failure);
});

it('waits no longer than it is told, for one that hears the signal and one that does not', async () => {
  const refusal = new EngineRefused('MariaDB did not answer within 5 ms.');
  await expect(withinTime({ timeoutMs: 5, name: 'MariaDB' }, deaf)).rejects.toThrow(refusal);
  await expect(withinTime({ timeoutMs: 5, name: 'MariaDB' }, polite)).rejects.toThrow(refusal);
});
