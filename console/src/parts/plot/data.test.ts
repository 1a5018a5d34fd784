import { describe, expect, it } from 'vitest';
import { firstMoment, lastMoment, lastPoint, loneIndexes, type PlotPoint, sampleRows, toColumns } from './data.ts';

const seriesOf = (points: PlotPoint[]) => ({ label: 'a', unit: 'count' as const, points });

describe('what a plot draws', () => {
  it('breaks the line where nothing was measured for longer than usual', () => {
    const points: PlotPoint[] = [
      [0, 1],
      [1000, 2],
      [2000, 3],
      [8000, 4],
    ];
    expect(toColumns([seriesOf(points)])).toEqual([
      [0, 1, 2, 5, 8],
      [1, 2, 3, null, 4],
    ]);
  });

  it('puts series of different moments on one axis, and breaks neither for the other', () => {
    const one = seriesOf([
      [0, 1],
      [2000, 3],
    ]);
    const other = seriesOf([
      [1000, null],
      [2000, 5],
    ]);
    expect(toColumns([one, other])).toEqual([
      [0, 1, 2],
      [1, undefined, 3],
      [undefined, null, 5],
    ]);
  });

  it('is empty for nothing', () => {
    expect(toColumns([seriesOf([])])).toEqual([[], []]);
    expect(lastPoint(seriesOf([]))).toBeUndefined();
  });
});

it('the last value is the last that was measured', () => {
  const series = seriesOf([
    [0, 7],
    [1, 0],
    [2, null],
  ]);
  expect(lastPoint(series)).toEqual([1, 0]);
});

it('the last value of sums is the last whole one, unless there is none', () => {
  const points: PlotPoint[] = [
    [0, 7],
    [1, 8],
    [2, 3],
  ];
  const lastFrom = (unfinishedFrom: number) => lastPoint({ ...seriesOf(points), unfinishedFrom });
  expect([lastFrom(3), lastFrom(2), lastFrom(0)]).toEqual([
    [2, 3],
    [1, 8],
    [0, 7],
  ]);
});

it('a sample has the first and the last, and no more than asked for', () => {
  expect(sampleRows([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([1, 4, 7]);
  expect(sampleRows([1, 2], 3)).toEqual([1, 2]);
});

it('what was measured with nothing beside it is alone', () => {
  expect(loneIndexes([1, null, 2, 3, undefined, 4])).toEqual([0, 5]);
  expect(loneIndexes([null, 1, null])).toEqual([1]);
});

it('the first and the last moment are those at which any of them was measured', () => {
  const one = seriesOf([
    [0, null],
    [1, 5],
    [2, null],
  ]);
  const all = [one, seriesOf([[3, null]]), seriesOf([[2, 0]])];
  expect([firstMoment(all), lastMoment(all)]).toEqual([1, 2]);
  const none = [seriesOf([[3, null]])];
  expect([firstMoment(none), lastMoment(none)]).toEqual([undefined, undefined]);
});
