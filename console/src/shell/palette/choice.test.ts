import { expect, it } from 'vitest';
import { chosenByKey, indexOfChosen } from './choice.ts';

const listed = (...ids: string[]) => ids.map((id) => ({ id }));

it('what somebody moved to stays chosen when others come before it, and is the first again once it is gone', () => {
  const chosen = chosenByKey('ArrowDown', listed('shop', 'help'), 0);
  expect(indexOfChosen(listed('shop', 'help'), chosen)).toBe(1);
  expect(indexOfChosen(listed('shop', 'production', 'preview', 'help'), chosen)).toBe(3);
  expect(indexOfChosen(listed('help', 'shop'), chosen)).toBe(0);
  expect(indexOfChosen(listed('shop', 'production'), chosen)).toBe(0);
});

it('where nobody chose it is whatever is the first', () => {
  for (const ids of [['shop'], ['production', 'shop'], []]) expect(indexOfChosen(listed(...ids), null)).toBe(0);
});

it.each([
  ['ArrowDown', 0, 'b'],
  ['ArrowDown', 2, 'a'],
  ['ArrowUp', 0, 'c'],
  ['PageDown', 0, 'c'],
  ['PageUp', 2, 'a'],
  ['Home', 1, null],
])('%s from %d chooses %s', (key, current, chosen) => {
  expect(chosenByKey(key, listed('a', 'b', 'c'), current)).toBe(chosen);
  expect(chosenByKey(key, [], 0)).toBeNull();
});
