import { expect, it } from 'vitest';
import { fromLocalInput, toLocalInput } from './local-input.ts';

it('a moment goes into a field and comes back, to the minute', () => {
  const instant = '2026-11-05T04:07:00.000Z';
  expect(toLocalInput(instant)).toMatch(/^2026-11-0\dT\d\d:\d\d$/);
  expect(fromLocalInput(toLocalInput(instant))).toBe(instant);
});

it('nothing is nothing', () => {
  expect([toLocalInput(''), toLocalInput('soon'), fromLocalInput('')]).toEqual(['', '', '']);
});
