import { expect, it } from 'vitest';
import { nextToAsk } from './next-to-ask.ts';

const next = (wanted: string, asked: string, known: string) =>
  nextToAsk(wanted.split(''), { asked: new Set(asked), known: new Map(known.split('').map((id) => [id, []])) }).join(
    '',
  );

it.each([
  ['abcdefg', '', '', 'abcd'],
  ['abcdefg', 'abcd', '', ''],
  ['abcdefg', 'abcd', 'b', 'e'],
  ['abcdefg', 'abcd', 'abcd', 'efg'],
  ['xyab', 'abcd', 'ab', 'xy'],
  ['ab', 'ab', 'a', ''],
])('of %s, where %s were asked and %s have answered, %s are next', (wanted, asked, known, expected) => {
  expect(next(wanted, asked, known)).toBe(expected);
});
