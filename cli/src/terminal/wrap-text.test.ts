import { expect, it } from 'vitest';
import { TOGETHER, wrapText } from './wrap-text.ts';

it('no line is wider, but for a word that is', () => {
  expect(wrapText('one two three abcdefghijkl four', 9)).toEqual(['one two', 'three', 'abcdefghijkl', 'four']);
});

it('words that belong together stand in one line, with a plain space', () => {
  expect(wrapText(`one two${TOGETHER}three four`, 9)).toEqual(['one', 'two three', 'four']);
});
