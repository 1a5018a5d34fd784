import { expect, it } from 'vitest';
import { areDated, formatLineTime, printLines } from './line-time.ts';

const now = new Date(2026, 8, 6, 7, 51, 20);
const lineOf = (...[hours, days = 0]: [hours: number, days?: number]) => ({
  text: '',
  at: new Date(2026, 8, 6 + days, hours).toISOString(),
});

it('lines of today have no date, and all have one where any is of another day', () => {
  expect(areDated([lineOf(0), lineOf(7)], now.getTime())).toBe(false);
  expect(areDated([lineOf(23, -1), lineOf(7)], now.getTime())).toBe(true);
  expect(areDated([lineOf(5, -3), lineOf(6, -3)], now.getTime())).toBe(true);
  expect(areDated([], now.getTime())).toBe(false);
  expect(areDated([{ text: 'of a build' }], now.getTime())).toBe(false);
});

it('the time is as wide in every month', () => {
  expect(formatLineTime(now.toISOString(), false)).toBe('07:51:20');
  expect(formatLineTime(now.toISOString(), true)).toBe('06 Sep 07:51:20');
  const widths = Array.from({ length: 12 }, (_, index) => formatLineTime(new Date(2026, index, 1).toISOString(), true));
  expect(new Set(widths.map(({ length }) => length))).toEqual(new Set([15]));
});

it('what is copied keeps its times', () => {
  const at = now.toISOString();
  expect(printLines([{ plain: 'a', at }, { plain: 'b' }])).toBe(`${at} a\nb`);
});
