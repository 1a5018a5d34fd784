import { describe, expect, it } from 'vitest';
import { describeStorage, seriesOf } from './usage.ts';

const at = (minute: number, v: number) => ({ t: `2026-01-01T00:0${minute}:00.000Z`, v });

const old = { storage_gb: 1, created_at: '2025-01-01T00:00:00.000Z' };

describe('the storage of a database', () => {
  it('is so full, and has grown by so much', () => {
    expect(describeStorage([at(0, 2 ** 29), at(1, 2 ** 29 + 2 ** 20)], old)).toEqual({
      percent: 50,
      words: '513 MB of 1 GB used',
      change: '+1 MB',
      isWholeLife: false,
    });
  });

  it('shrinks too, and is never more than full', () => {
    const { percent, change } = describeStorage([at(0, 2 ** 31), at(1, 1.5 * 2 ** 30)], old);
    expect([percent, change]).toEqual([100, '−512 MB']);
  });

  it('of a new one has not shrunk by what setting it up gave back', () => {
    const made = { ...old, created_at: '2025-12-31T23:52:00.000Z' };
    const points = [at(0, 40 * 2 ** 20), at(1, 40 * 2 ** 20), at(2, 35 * 2 ** 20)];
    expect(describeStorage(points, made)).toMatchObject({ words: '35 MB of 1 GB used', change: null });
    const falling = [...points, at(3, 36 * 2 ** 20)];
    expect(describeStorage(falling, made), 'nor has it grown, as is to be seen below').toMatchObject({ change: null });
    expect(describeStorage([...falling, at(4, 45 * 2 ** 20)], made)).toMatchObject({
      change: '+10 MB',
      isWholeLife: true,
    });
  });

  it('of a new one has grown by what was put into it at once', () => {
    const made = { ...old, created_at: '2026-01-01T00:00:00.000Z' };
    const points = [at(1, 42 * 2 ** 20), at(2, 65 * 2 ** 20), at(3, 65 * 2 ** 20)];
    expect(describeStorage(points, made)).toMatchObject({ change: '+23 MB', isWholeLife: true });
  });

  it('may not have been measured', () => {
    expect(describeStorage([], old)).toEqual({
      percent: 0,
      words: '1 GB of storage',
      change: 'nothing was measured',
      isWholeLife: false,
    });
  });
});

it('what was measured is drawn with its unit', () => {
  const metrics = { cpu: [at(0, 3)], memory: [], storage: [], connections: [] };
  expect(seriesOf(metrics).cpu).toEqual([
    { label: 'CPU', unit: 'percent', points: [[Date.parse('2026-01-01T00:00:00Z'), 3]] },
  ]);
});
