import { expect, it } from 'vitest';
import { cellsOf, isSurelyOneRow, lettersBetween, rowsOf, rowStartsOf, widthOf } from './cells.ts';

it('the usual letters stay together, every other one is for itself', () => {
  expect(cellsOf('npm warn (a) ~')).toEqual(['npm warn (a) ~']);
  expect(cellsOf('')).toEqual(['']);
  const [dots, tick] = ['⠋', '✓'].map((text) => ({ text, columns: 1, letters: 1 }));
  expect(cellsOf('⠋ a✓b')).toEqual([dots, ' a', tick, 'b']);
});

it('letters of one width that change with nothing beside them are one cell, however many', () => {
  expect(cellsOf('漢'.repeat(2730))).toEqual([{ text: '漢'.repeat(2730), columns: 5460, letters: 2730 }]);
  expect(cellsOf('Ошибка: ошибка').filter((cell) => typeof cell !== 'string')).toHaveLength(2);
  expect(cellsOf('━━━╸ 漢字ー、한글').map((cell) => (typeof cell === 'string' ? cell : cell.letters))).toEqual([
    4,
    ' ',
    6,
  ]);
});

it('a letter with a mark is not taken from it', () => {
  const told = cellsOf('漢字か\u3099き и\u0306й').map((cell) => (typeof cell === 'string' ? cell : cell.text));
  expect(told).toEqual(['漢字', 'か\u3099', 'き', ' ', 'и\u0306', 'й']);
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
  ['漢'.repeat(2730), 546],
])('of ten columns, %j takes its rows', (text, rows) => {
  expect(rowsOf(text, 10)).toBe(rows);
});

it('rows begin where the one before has no room', () => {
  expect(rowStartsOf('x'.repeat(25), 10)).toEqual([0, 10, 20]);
  expect(rowStartsOf('x' + '汉'.repeat(10), 10)).toEqual([0, 5, 10]);
  expect(rowStartsOf('🚀'.repeat(6), 10), 'a picture is two places long').toEqual([0, 10]);
});

it.each([
  ['usual', 'x'.repeat(100), [40, 60, 40]],
  ['wide', '漢'.repeat(100), [20, 30, 40]],
  ['begun within', `x${'漢'.repeat(100)}`, [20, 31, 39]],
  ['pictures', '🚀'.repeat(100), [40, 60, 40]],
  ['too short', 'ä'.repeat(30), [30, 30, 30]],
  ['not to the end', 'ä'.repeat(50), [40, 50, 40]],
])('between two columns are the letters that stand there: %s', (_what, text, [start, end, column]) => {
  expect(lettersBetween(text, 40, 60)).toEqual({ start, end, column });
});

it.each([
  ['x'.repeat(10), true],
  ['x'.repeat(11), false],
  ['\u001B[31mabcd', true],
  ['\u001B[31mabcde', false],
  ['✓ module', true],
  ['漢'.repeat(5), true],
  ['漢'.repeat(6), false],
  ['\t', false],
])('of ten columns, whether %j is one row can be told before it is read: %s', (text, isOne) => {
  expect(isSurelyOneRow(text, 10)).toBe(isOne);
});
