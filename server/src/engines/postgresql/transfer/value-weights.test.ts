import { expect, it } from 'vitest';
import { MOST_WEIGHT, weightOf, type ValueType } from './value-weights.ts';

const type = (oid: string, changes: Partial<ValueType>): ValueType => ({
  oid,
  kind: 'base',
  base: null,
  element: null,
  lengthBytes: null,
  isByValue: false,
  isText: false,
  members: [],
  ...changes,
});

const all = [
  type('16', { lengthBytes: 1, isByValue: true }),
  type('25', { isText: true }),
  type('2950', { lengthBytes: 16 }),
  type('2951', { element: '2950' }),
  type('1000', { element: '16' }),
  type('over text', { kind: 'domain', base: 'inner domain' }),
  type('inner domain', { kind: 'domain', base: '25' }),
  type('over uuids', { kind: 'domain', base: '2951' }),
  type('composite', { kind: 'composite', members: ['25', 'over uuids'] }),
];
const types = new Map(all.map((each) => [each.oid, each]));

it('a value counts as what its domain is over, and as the heaviest of what it is made of', () => {
  expect(weightOf(types, 'over text')).toBe(weightOf(types, '25'));
  expect(weightOf(types, '2951')).toBeGreaterThan(weightOf(types, '25') * 10);
  expect(weightOf(types, 'composite')).toBe(weightOf(types, '2951'));
  for (const { oid } of all) expect(weightOf(types, oid)).toBeLessThanOrEqual(MOST_WEIGHT);
});
