import { expect, it } from 'vitest';
import { assertRegion } from './region.ts';
import { refusal } from './testing/refusal.ts';

it('a region must be one of the catalogue', () => {
  expect(() => assertRegion('local')).not.toThrow();
  expect(() => assertRegion('mars-1')).toThrow(refusal(/local/));
});
