import { expect, it } from 'vitest';
import { plainLine, plainText } from './plain-text.ts';

it('leaves nothing that moves a cursor, whole sequences and halves of them', () => {
  expect(plainText('a\u001b[2Jb\u001b]0;title\u0007c\u009b31md\re\0f\u0008g\u007f')).toBe('abcdefg');
  expect(plainText('a\u001b')).toBe('a');
});

it('leaves nothing that turns the order of letters around, or that nobody sees', () => {
  expect(plainText('https://a.org/\u202emoc.live\u202c\u2066x\u2069\u200e\u200f\u061c')).toBe(
    'https://a.org/moc.livex',
  );
  expect(plainText('ad\u200bmin\ufeff\ud800\u{e0041}')).toBe('admin');
});

it('keeps letters of any script, and lines where there may be several', () => {
  const text = 'é 日本語 שלום 🌷\n\tat run (main.ts:1)\n';
  expect(plainText(text)).toBe(text);
  expect(plainText('one\u2028two\u2029three')).toBe('onetwothree');
  expect(plainLine('Flowers\n\tand more')).toBe('Flowers  and more');
});
