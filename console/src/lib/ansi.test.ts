import { describe, expect, it } from 'vitest';
import { parseAnsi, stripAnsi, styleAfter } from './ansi.ts';

const ESC = '\u001B';
const styleOf = (codes: string) => parseAnsi(`${ESC}[${codes}mx`)[0]!.style;

describe('the colours of a line', () => {
  it('a line without any is one piece', () => {
    expect(parseAnsi('npm run build')).toEqual([{ text: 'npm run build', style: null }]);
    expect(parseAnsi('')).toEqual([]);
  });

  it('lasts until it is reset', () => {
    const spans = parseAnsi(`a ${ESC}[31mred ${ESC}[1mbold${ESC}[0m b`);
    expect(spans.map(({ text, style }) => [text, style?.ink ?? null, style?.isBold ?? false])).toEqual([
      ['a ', null, false],
      ['red ', 1, false],
      ['bold', 1, true],
      [' b', null, false],
    ]);
  });

  it.each([
    ['33', 3],
    ['97', 15],
    ['38;5;9', 9],
    ['38;5;16', '#000000'],
    ['38;5;196', '#ff0000'],
    ['38;5;110', '#87afd7'],
    ['38;5;255', '#eeeeee'],
    ['38;2;1;128;255', '#0180ff'],
    ['38:2:1:128:255', '#0180ff'],
    ['38:2::1:128:255', '#0180ff'],
    ['38:2:0:1:128:255', '#0180ff'],
    ['38:2::255:0:0', '#ff0000'],
    ['38:5:9', 9],
  ])('%s is %s', (codes, ink) => {
    expect(styleOf(codes)).toMatchObject({ ink, ground: null });
  });

  it('the ground has the same ones', () => {
    expect(styleOf('41')).toMatchObject({ ground: 1, ink: null });
    expect(styleOf('103')).toMatchObject({ ground: 11 });
    expect(styleOf('48;5;21')).toMatchObject({ ground: '#0000ff' });
    expect(styleOf('48:2::0:0:255;1')).toMatchObject({ ground: '#0000ff', isBold: true });
  });

  it('several codes of one sequence all count, also after a colour of several numbers', () => {
    expect(styleOf('1;38;2;10;20;30;4;2')).toMatchObject({
      ink: '#0a141e',
      isBold: true,
      isUnderlined: true,
      isDim: true,
    });
  });

  it('is gone when everything was taken back one by one', () => {
    expect(parseAnsi(`${ESC}[1;31;4;7mx${ESC}[22;39;24;27my`).at(-1)).toEqual({ text: 'y', style: null });
    expect(parseAnsi(`${ESC}[31mx${ESC}[my`).at(-1)).toEqual({ text: 'y', style: null });
  });

  it('the kind of a line under it is no style of its own', () => {
    expect(styleOf('4:3')).toMatchObject({ isUnderlined: true, isItalic: false });
    expect(parseAnsi(`${ESC}[4mx${ESC}[4:0my`).at(-1)).toEqual({ text: 'y', style: null });
  });

  it('goes over to the next line until it is reset, also from what was written over', () => {
    const red = styleAfter(`${ESC}[31mfailed:`, null);
    expect(parseAnsi('in two', red)).toMatchObject([{ text: 'in two', style: { ink: 1 } }]);
    expect(styleAfter('in two', red)).toBe(red);
    expect(styleAfter(`${ESC}[31magain`, red)).toBe(red);
    expect(parseAnsi(`three${ESC}[0m four`, red)).toMatchObject([{ style: { ink: 1 } }, { style: null }]);
    expect(styleAfter(`three${ESC}[0m four`, red)).toBeNull();
    expect(parseAnsi(`${ESC}[32m10 %\r55 %`)).toMatchObject([{ text: '55 %', style: { ink: 2 } }]);
  });

  it('nonsense changes nothing', () => {
    expect(styleOf('38:2::300:0:0')).toBeNull();
    expect(styleOf('>4;2')).toBeNull();
    expect(styleOf('38;5;300')).toBeNull();
    expect(styleOf('38;9')).toBeNull();
    expect(styleOf('777')).toBeNull();
  });
});

describe('what is shown of a line', () => {
  it.each([
    ['moving the cursor and erasing', `a${ESC}[2K${ESC}[1Gb`, 'ab'],
    ['a title', `${ESC}]0;title\u0007text`, 'text'],
    ['a link', `${ESC}]8;;https://example.org${ESC}\\here${ESC}]8;;${ESC}\\`, 'here'],
    ['a colour within another escape', `a${ESC}${ESC}[0m[31mb${ESC}]0;t${ESC}[1mc`, 'a[31mbc'],
    ['a choice of letters', `${ESC}(Bplain`, 'plain'],
    ['an escape that ends with the line', `end${ESC}[31`, 'end'],
    ['other controls', 'a\u0000b\u0008c', 'abc'],
  ])('%s is dropped', (_what, line, shown) => {
    expect(stripAnsi(line)).toBe(shown);
  });

  it('of a progress bar the last state', () => {
    expect(stripAnsi('10 %\r55 %\r100 %\r')).toBe('100 %');
  });

  it('one line, also of a text of several', () => {
    expect(stripAnsi('first\nsecond\r\n')).toBe('first second');
  });

  it('tabs go to the next multiple of eight', () => {
    expect(stripAnsi('ab\tc')).toBe('ab      c');
    expect(stripAnsi(`${ESC}[1mabcdefgh${ESC}[0m\tc`)).toBe('abcdefgh        c');
  });
});
