import { describe, expect, it } from 'vitest';
import { isCut, together } from './found-items.ts';

describe('the platform looks for what was typed', () => {
  it('where a list is longer than what was read of it, from the second letter on', () => {
    expect(isCut({ totalPages: 2 }, ' sh ')).toBe(true);
    expect(isCut({ totalPages: 2 }, ' s ')).toBe(false);
    expect(isCut({ totalPages: 2 }, 's', 1)).toBe(true);
    expect(isCut({ totalPages: 1 }, 'shop')).toBe(false);
    expect(isCut(undefined, 'shop')).toBe(false);
  });

  it('and what is found by both is there once', () => {
    const [one, two] = [{ id: '1' }, { id: '2' }];
    expect(together([one], [two, one])).toEqual([one, two]);
    expect(together()).toEqual([]);
  });
});
