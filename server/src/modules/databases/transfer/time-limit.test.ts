import { once } from 'node:events';
import { expect, it } from 'vitest';
import { LoadFailed } from '../../../engines/transfer.ts';
import { withinTime } from './time-limit.ts';

const never = new AbortController().signal;

async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

it('an import that does not end is ended with words that say so', async () => {
  await expect(withinTime(never, untilAborted, 1)).rejects.toThrow(LoadFailed);
});

it('whoever else ends it is the one that is told', async () => {
  await expect(withinTime(AbortSignal.abort(new Error('stopping')), untilAborted)).rejects.toThrow('stopping');
  expect(await withinTime(never, () => Promise.resolve('loaded'))).toBe('loaded');
});
