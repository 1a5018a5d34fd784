import { describe, expect, it } from 'vitest';
import { everyStep, latestOf, sumOfPoints, unfinishedFrom, zeroBands } from './metric-series.ts';

const span = { startTime: '2026-11-15T12:00:00.000Z', endTime: '2026-11-15T12:03:20.000Z', stepSeconds: 60 };
const start = Date.parse(span.startTime);
const at = (minute: number, v: number) => ({ t: new Date(start + minute * 60_000).toISOString(), v });

describe('a series of a range', () => {
  it('has every step: null where nothing was measured, zero where nothing happened', () => {
    const steps = everyStep(span, [at(0, 0), at(2, 7)]);
    expect(steps.map(([, v]) => v)).toEqual([0, null, 7, null]);
    expect(steps.map(([t]) => t - start)).toEqual([0, 60_000, 120_000, 180_000]);
  });

  it('that was not asked for is not measured', () => {
    expect(everyStep(span, undefined).map(([, v]) => v)).toEqual([null, null, null, null]);
  });

  it('sums and ends', () => {
    expect([sumOfPoints([at(0, 2), at(1, 3)]), latestOf([at(0, 2), at(1, 3)])]).toEqual([5, 3]);
    expect([sumOfPoints(undefined), latestOf([])]).toEqual([0, null]);
  });
});

it.each([
  ['12:03:40', 60, '12:03:00'],
  ['12:03:30', 60, '12:03:00'],
  ['12:03:29', 60, '12:02:00'],
  ['12:03:40', 300, '12:00:00'],
  ['12:00:10', 7200, '10:00:00'],
])('at %s a sum over %d s is not whole from %s on', (now, stepSeconds, from) => {
  const [endTime, told] = [now, from].map((time) => `2026-11-15T${time}.000Z`) as [string, string];
  expect(new Date(unfinishedFrom({ endTime, stepSeconds })).toISOString()).toBe(told);
});

it('neighbouring zeros are one band; what was not measured ends it', () => {
  const bands = zeroBands(span, [at(0, 0), at(1, 0), at(2, 1), at(4, 0), at(6, 0)]);
  expect(bands.map(({ from, to }) => [(from - start) / 60_000, (to - start) / 60_000])).toEqual([
    [0, 2],
    [4, 5],
    [6, 7],
  ]);
});
