import { expect, it } from 'vitest';
import { LARGEST_ANSWER } from './limits.ts';
import { createRowCollector } from './row-collector.ts';

it('keeps no more cells than an answer may have characters, also where they are empty', () => {
  for (const cell of ['', null, 0, [], {}]) {
    const collector = createRowCollector(1000);
    const row = Array.from({ length: 10_000 }, () => cell);
    while (!collector.isFull()) collector.add(row);
    expect(collector.rows.length * row.length).toBeLessThanOrEqual(LARGEST_ANSWER);
  }
});
