import { describe, expect, it } from 'vitest';
import { growsLinearly, filled } from './grows-linearly.ts';

const make = (length: number) => filled(length, 'a', { after: '!' });

/** Takes 300 ms of this thread's processor for the largest, and of the others as much less as they are shorter. */
function burning(largest: number): (length: number) => void {
  return (length) => {
    const before = process.threadCpuUsage();
    const isEnough = () => {
      const { user, system } = process.threadCpuUsage(before);
      return user + system >= (300_000 * length) / largest;
    };
    while (!isEnough());
  };
}

describe('the measure of growth', () => {
  it('passes what looks at each letter once', async () => {
    await expect(growsLinearly({ largest: 2 ** 20, make, work: (text) => /^a*$/.test(text) })).resolves.toBe(true);
  });

  it('finds what looks at each letter from each letter on, and what doubles with each', async () => {
    const quadratic = growsLinearly({ largest: 2 ** 15, make, work: (text) => /a+$/.test(text) });
    await expect(quadratic).rejects.toThrow(/It takes \d+ ms of \d+ characters/);
    const exponential = growsLinearly({ largest: 2 ** 15, make, work: (text) => /^(?:a|a)*$/.test(text) });
    await expect(exponential).rejects.toThrow(/It takes \d+ ms of \d+ characters/);
  });

  it('is not misled by one look at something linear that was over too soon', async () => {
    const largest = 2 ** 10;
    const busy = burning(largest);
    const lucky = new Set([largest / 4]);
    const work = ({ length }: string) => (lucky.delete(length) ? undefined : busy(length));
    await expect(growsLinearly({ largest, make, work })).resolves.toBe(true);
    expect(lucky.size).toBe(0);
  });

  it('makes texts of the length that is asked for', () => {
    expect(filled(10, 'ab', { before: '<', after: '>' })).toBe('<abababab>');
  });
});
