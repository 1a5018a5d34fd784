import { describe, expect, it } from 'vitest';
import { growsLinearly, filled } from './grows-linearly.ts';

const make = (length: number) => filled(length, 'a', { after: '!' });

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

  it('makes texts of the length that is asked for', () => {
    expect(filled(10, 'ab', { before: '<', after: '>' })).toBe('<abababab>');
  });
});
