import { describe, expect, it } from 'vitest';
import { spellingOf } from './variable-changes.ts';

const names = Array.from({ length: 100 }, (_, index) => `VARIABLE_${index}`);

describe('what is spelt', () => {
  it('is the names themselves where they fit', () => {
    expect(spellingOf(['A', 'B'])).toBe('A, B');
  });

  it('is another one for other names, also where only the names that are cut differ', () => {
    const [one, other] = [names.toSpliced(98, 1), names.toSpliced(99, 1)].map(spellingOf);
    expect(one).toMatch(/^VARIABLE_0, .* and \d+ more \([0-9a-f]{8}\)$/);
    expect(other!.replace(/\(.*/, '')).toBe(one!.replace(/\(.*/, ''));
    expect(other).not.toBe(one);
  });

  it('fits its field, however long a name is', () => {
    const longest = Array.from({ length: 1000 }, (_, index) => `V${index}`.padEnd(256, '_'));
    expect(spellingOf(longest).length).toBeLessThanOrEqual(300);
  });
});
