import { expect, it } from 'vitest';
import { listLimits } from './list-limits.ts';

it('a list that is old or partial says so, and one that is neither says nothing', () => {
  expect(listLimits(undefined)).toEqual([]);
  expect(listLimits(new Headers())).toEqual([]);
  const headers = new Headers({ 'X-As-Of': '2026-11-16T03:00:00.000Z', 'X-Partial': 'acme,z%C3%BC' });
  expect(listLimits(headers)).toEqual([
    expect.stringMatching(/^The host does not answer: this is what it said at .*2026/),
    'What acme, zü reaches is missing: the host did not give it.',
  ]);
});
