import { expect, it } from 'vitest';
import { widthOf } from './width-of.ts';

it('is what the terminal says, unless it says nothing, or that it has none', () => {
  expect([{}, { columns: 0 }, { columns: 50 }].map(widthOf)).toEqual([120, 80, 50]);
});
