import { expect, it } from 'vitest';
import { EdgeCount } from './edge-count.ts';

/** How many of so many reports had the store count, where there are so many edges. */
function countsIn(reports: number, edges: number): number {
  const count = new EdgeCount();
  let counts = 0;
  for (let report = 0; report < reports; report++) {
    if (count.known() === undefined) counts++;
    count.note(edges);
  }
  return counts;
}

it('few edges are counted at every report', () => {
  expect([1, 2, 99, 100].map((edges) => countsIn(50, edges))).toEqual([50, 50, 50, 50]);
});

it('many are counted the more seldom the more there are: all reports together read each row as often as with few', () => {
  for (const edges of [1000, 8000]) {
    const rowsRead = countsIn(8000, edges) * edges;
    expect(rowsRead).toBeLessThanOrEqual(8000 * 100 + 2 * edges);
    expect(countsIn(8000, edges)).toBeGreaterThan(50);
  }
});

it('that others have gone is known after the next count', () => {
  const count = new EdgeCount();
  count.known();
  count.note(1000);
  const asked = Array.from({ length: 10 }, () => {
    const known = count.known();
    count.note(known ?? 3);
    return known;
  });
  expect(asked).toEqual([...Array.from({ length: 9 }, () => 1000), undefined]);
  expect(count.known()).toBeUndefined();
});
