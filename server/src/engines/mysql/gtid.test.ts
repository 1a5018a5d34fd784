import { expect, it } from 'vitest';
import { sequenceOf } from './gtid.ts';

it.each([
  ['0-3155-1201', 1201],
  ['1-5-9000,0-3155-12', 12],
  ['', 0],
  [null, 0],
])('the position %s is that of %s', (position, sequence) => {
  expect(sequenceOf(position)).toBe(sequence);
});
