import { expect, it } from 'vitest';
import type { KnownVariant } from './artifact-store.ts';
import { describeVariants } from './describe-variants.ts';

const br: KnownVariant = { hash: 'a', coding: 'br', variant: { hash: 'b', size: 1 } };
const gzip: KnownVariant = { hash: 'a', coding: 'gzip', variant: { hash: 'c', size: 2 } };

it('the forms of a blob are in one order, whichever of them is found first', () => {
  const written = JSON.stringify({ br: { hash: 'b', size: 1 }, gzip: { hash: 'c', size: 2 } });
  expect(JSON.stringify(describeVariants([br, gzip]))).toBe(written);
  expect(JSON.stringify(describeVariants([gzip, br]))).toBe(written);
  expect(describeVariants([{ ...br, variant: null }])).toEqual({});
});
