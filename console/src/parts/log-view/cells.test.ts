import { expect, it } from 'vitest';
import { cellsOf, rowsOf, widthOf } from './cells.ts';

it('the usual letters stay together, every other one is for itself', () => {
  expect(cellsOf('npm warn (a) ~')).toEqual(['npm warn (a) ~']);
  expect(cellsOf('')).toEqual(['']);
  expect(cellsOf('⠋ a✓b')).toEqual([{ text: '⠋', columns: 1 }, ' a', { text: '✓', columns: 1 }, 'b']);
});

it.each([
  ['plain', 'plain', 5],
  ['a spinner', '⠋⠙', 2],
  ['a mark that is a letter of text', '✔', 1],
  ['letters of China', '汉字', 4],
  ['letters of Korea', '한글', 4],
  ['full width', 'Ａ', 2],
  ['a picture', '🚀', 2],
  ['pictures that are joined', '👩‍👩‍👧', 2],
  ['a text mark that is to be a picture', '⚠️', 2],
  ['a flag', '🇩🇪', 2],
  ['an accent for itself', 'e\u0301', 1],
  ['nothing to be seen', '\u200b\u202e', 0],
])('%s has its columns', (_what, text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

it.each([
  ['', 1],
  ['x'.repeat(10), 1],
  ['x'.repeat(11), 2],
  ['⠋'.repeat(10), 1],
  ['⠋'.repeat(11), 2],
  ['汉'.repeat(5), 1],
  ['汉'.repeat(6), 2],
  // Nine columns are taken, and the last has no room for two.
  ['x'.repeat(9) + '汉', 2],
  ['x'.repeat(9) + '汉' + 'x'.repeat(8), 2],
  ['x'.repeat(9) + '汉' + 'x'.repeat(9), 3],
  ['⠋' + 'x'.repeat(29), 3],
  ['⠋' + 'x'.repeat(30), 4],
])('of ten columns, %j takes its rows', (text, rows) => {
  expect(rowsOf(text, 10)).toBe(rows);
});
