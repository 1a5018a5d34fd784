import { expect, it } from 'vitest';
import { inGroups, withoutGroups } from './in-groups.ts';

it.each([
  ['', ''],
  ['ABCD', 'ABCD'],
  ['ABCDE', 'ABCD E'],
  ['JBSWY3DPEHPK3PXP', 'JBSW Y3DP EHPK 3PXP'],
])('%j is shown as %j, and taken away as it was', (text, shown) => {
  expect(inGroups(text)).toBe(shown);
  expect(withoutGroups(shown)).toBe(text);
});
