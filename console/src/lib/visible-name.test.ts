import { expect, it } from 'vitest';
import { isSameName, showMarks, visibleName } from './visible-name.ts';

it.each([
  ['Shop', 'Shop'],
  ['two  spaces', 'two spaces'],
  [' around\t', 'around'],
  ['evil\u202Egpj', 'evil[U+202E]gpj'],
  ['zero\u200Bwidth', 'zero[U+200B]width'],
  ['Größe 🚀', 'Größe 🚀'],
])('%j is read and typed as %j', (name, shown) => {
  expect(visibleName(name)).toBe(shown);
  expect(isSameName(shown, visibleName(name))).toBe(true);
  expect(isSameName(` ${shown.replaceAll(' ', '  ')} `, visibleName(name))).toBe(true);
  expect(isSameName(`${shown}x`, visibleName(name))).toBe(false);
  expect(isSameName('', visibleName(name))).toBe(false);
});

it('an accent may be typed as one sign or as two', () => {
  expect(isSameName('Gro\u0308\u00DFe', visibleName('Gr\u00F6\u00DFe'))).toBe(true);
});

it('what cannot be seen is written out, so that no name looks like another', () => {
  expect(showMarks('sh\u200Bop')).toBe('sh[U+200B]op');
  expect(showMarks('shop\u3164')).toBe('shop[U+3164]');
  expect(showMarks('so\u00ADft\uFEFF')).toBe('so[U+00AD]ft[U+FEFF]');
  expect(showMarks('two\nlines')).toBe('two\nlines');
});

it('what turns a line round is written out where it is read, and what a script needs stays', () => {
  expect(showMarks('Fix \u202Egpj.exe\u2069')).toBe('Fix [U+202E]gpj.exe[U+2069]');
  expect(showMarks('👩\u200D🚀 می\u200Cخواهم')).toBe('👩\u200D🚀 می\u200Cخواهم');
});
