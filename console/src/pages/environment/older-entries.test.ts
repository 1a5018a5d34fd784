import { describe, expect, it } from 'vitest';
import { MOST, newest, older } from './older-entries.ts';

describe('older entries', () => {
  it('come to those that are there, as long as one answer holds them', () => {
    expect(older(newest)).toEqual({ limit: newest.limit * 2, offset: 0 });
    expect(older({ limit: MOST - 1, offset: 0 })).toEqual({ limit: MOST, offset: 0 });
  });

  it('never end there: what is behind them is shown in their place', () => {
    expect(older({ limit: MOST, offset: 0 })).toEqual({ limit: MOST, offset: MOST });
    expect(older({ limit: MOST, offset: MOST })).toEqual({ limit: MOST, offset: 2 * MOST });
  });
});
