import { expect, it } from 'vitest';
import { sayInstances } from './say-instances.ts';

it.each([
  [null, 0, 'not counted yet · 0 to 5 allowed'],
  [0, 0, '0 now · 0 to 5 allowed'],
  [0, 1, '0 now, 1 wanted: 1 more is being started · 1 to 5 allowed'],
  [1, 3, '1 now, 3 wanted: 2 more are being started · 3 to 5 allowed'],
  [2.4, 3, '3 now · 3 to 5 allowed'],
  [4, 1, '4 now · 1 to 5 allowed'],
])('%d that run of at least %d are told', (instances, min_instances, told) => {
  expect(sayInstances(instances, { min_instances, max_instances: 5 })).toBe(told);
});
