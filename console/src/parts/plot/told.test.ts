import { expect, it } from 'vitest';
import type { PlotPoint } from './data.ts';
import { sayMoment, sayTold, toldOf } from './told.ts';

const early = Date.parse('2026-11-17T14:05:00Z');
const late = Date.parse('2026-11-17T14:06:00Z');
const points: PlotPoint[] = [
  [early, 18],
  [late, 20],
];
const p50 = { label: 'p50', unit: 'ms' as const, points };
const p99 = { ...p50, label: 'p99', points: [] };

it('a plot says what was measured where somebody points, else the newest', () => {
  expect(sayTold(toldOf([p50], { t: early, values: [18] }))).toBe(`${sayMoment(early)}: 18 ms`);
  expect(sayTold(toldOf([p50], null))).toBe(`${sayMoment(late)}: 20 ms`);
});

it('of sums it says the newest that is whole, and of one that goes on that it does', () => {
  const sums = { ...p50, unit: 'count' as const, unfinishedFrom: late };
  expect(sayTold(toldOf([sums], null))).toBe(`${sayMoment(early)}: 18`);
  expect(sayTold(toldOf([sums], { t: late, values: [20] }))).toBe(`${sayMoment(late)}: 20 so far`);
  expect(sayTold(toldOf([{ ...sums, unfinishedFrom: early }], null))).toBe(`${sayMoment(early)}: 18 so far`);
});

it('several values are told apart, and what was not measured is said', () => {
  expect(sayTold(toldOf([p50, p99], null))).toBe(`${sayMoment(late)}: p50 20 ms, p99 not measured`);
  expect(sayTold(toldOf([p99], null))).toBe('not measured');
});
