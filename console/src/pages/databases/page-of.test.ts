import { expect, it } from 'vitest';
import { pageOf } from './page-of.ts';

it.each([
  ['7', 7],
  ['', 1],
  ['0', 1],
  ['-3', 1],
  ['2.5', 1],
  ['123456', 1],
])('"%s" in the address means page %d', (text, page) => expect(pageOf(text)).toBe(page));
