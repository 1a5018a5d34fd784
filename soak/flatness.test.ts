import { describe, expect, it } from 'vitest';
import { judgeFlatness } from './flatness.ts';

const course = (name: string, valueAt: (minute: number) => number) =>
  judgeFlatness(Array.from({ length: 40 }, (_, minute) => ({ minute, figures: { [name]: valueAt(minute) } })))[0]!;

describe('whether a figure is flat', () => {
  it('is so where it rises only while caches fill', () => {
    expect(course('memory of api', (minute) => Math.min(minute, 10) * 8)).toMatchObject({ isFlat: true, late: 80 });
  });

  it('is not where it rises all the time', () => {
    expect(course('memory of api', (minute) => 80 + minute).isFlat).toBe(false);
    expect(course('files of edge', (minute) => 30 + minute).isFlat).toBe(false);
    expect(course('disk of logs', (minute) => 10 * minute).isFlat).toBe(false);
    expect(course('wait of site', (minute) => 1 + minute / 4).isFlat).toBe(false);
  });

  it('is so where a few moments were out of the ordinary', () => {
    expect(course('wait of site', (minute) => (minute % 10 === 0 ? 500 : 1)).isFlat).toBe(true);
  });

  it('has no bar for what people keep', () => {
    expect(course('disk of databases', (minute) => minute * 100).isFlat).toBeNull();
  });
});
