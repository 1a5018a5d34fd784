import { expect, it } from 'vitest';
import { imageBytes, storageWithin } from './volume-size.ts';

it.each([1, 2, 3, 7, 10, 99, 100, 1000, 65_536])('a volume for %i GB keeps that promise and no larger one', (gb) => {
  expect(storageWithin(imageBytes(gb))).toBe(gb);
  expect(storageWithin(imageBytes(gb) - 1)).toBe(gb - 1);
  expect(storageWithin(imageBytes(gb + 1) - 1)).toBe(gb);
});
