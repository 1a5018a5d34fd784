import { describe, expect, it } from 'vitest';
import { describeStorage, seriesOf } from './usage.ts';

const at = (minute: number, v: number) => ({ t: `2026-01-01T00:0${minute}:00.000Z`, v });

describe('the storage of a database', () => {
  it('is so full, and has grown by so much', () => {
    expect(describeStorage([at(0, 2 ** 29), at(1, 2 ** 29 + 2 ** 20)], 1)).toEqual({
      percent: 50,
      words: '513 MB of 1 GB used, +1 MB',
    });
  });

  it('shrinks too, and is never more than full', () => {
    const { percent, words } = describeStorage([at(0, 2 ** 31), at(1, 1.5 * 2 ** 30)], 1);
    expect(percent).toBe(100);
    expect(words).toContain('−512 MB');
  });

  it('may not have been measured', () => {
    expect(describeStorage([], 10)).toEqual({ percent: 0, words: '10 GB of storage; nothing was measured' });
  });
});

it('what was measured is drawn with its unit', () => {
  const metrics = { cpu: [at(0, 3)], memory: [], storage: [], connections: [] };
  expect(seriesOf(metrics).cpu).toEqual([
    { label: 'Processor', unit: 'percent', points: [[Date.parse('2026-01-01T00:00:00Z'), 3]] },
  ]);
});
