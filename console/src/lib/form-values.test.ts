import { expect, it } from 'vitest';
import { isAsAtFirst } from './form-values.ts';

it('a form is as at first until something else stands in it, or a box is not ticked any more', () => {
  const first = { name: '', public: 'on', tier: 'small' };
  expect(isAsAtFirst(first, { ...first })).toBe(true);
  expect(isAsAtFirst(first, { ...first, name: 'Orders' })).toBe(false);
  expect(isAsAtFirst(first, { name: '', tier: 'small' })).toBe(false);
});

it('fields that come and go empty change nothing', () => {
  expect(isAsAtFirst({ name: '' }, { name: '', folder: '' })).toBe(true);
  expect(isAsAtFirst({ name: '', networks: '' }, { name: '' })).toBe(true);
  expect(isAsAtFirst({ name: '' }, { name: '', folder: 'f1' })).toBe(false);
});
