import { describe, expect, it } from 'vitest';
import { parseEnvText, printEnvText } from './env-text.ts';

const variablesOf = (text: string) => parseEnvText(text).variables;

describe('reading a .env file', () => {
  it('takes names, values, exports and comments', () => {
    expect(parseEnvText('# the shop\nexport PORT = 3000\n\n NAME=Ada  # who\r\nEMPTY=\nURL=a#b\n')).toEqual({
      variables: { PORT: '3000', NAME: 'Ada', EMPTY: '', URL: 'a#b' },
      unread: [],
      repeated: [],
    });
  });

  it.each([
    ["A='it # stays $HOME \\n'", String.raw`it # stays $HOME \n`],
    [String.raw`A="a\nb\t\"c\" \$HOME C:\dir"`, 'a\nb\t"c" $HOME C:\\dir'],
    ['A=`it\'s "both"`', 'it\'s "both"'],
    ['A="first\nsecond" # after', 'first\nsecond'],
    ['A=  spaced out  ', 'spaced out'],
    ['A=# only a comment', ''],
  ])('%s', (text, value) => expect(variablesOf(text)).toEqual({ A: value }));

  it('of a name that comes twice the last counts, and it is told', () => {
    expect(parseEnvText('A=1\nB=1\nA=2\nA=3')).toEqual({ variables: { A: '3', B: '1' }, unread: [], repeated: ['A'] });
  });

  it('tells which lines it does not understand, and goes on', () => {
    expect(parseEnvText('A=1\nnonsense\n2B=x\nC="open\nD="a" b\nE=5')).toMatchObject({
      variables: { A: '1', E: '5' },
      unread: [2, 3, 4, 5],
    });
  });

  it('counts the lines of a value that has several', () => {
    expect(parseEnvText("A='1\n2\n3'\nnonsense").unread).toEqual([4]);
  });

  it('does not stumble over the mark that Windows begins files with', () => {
    expect(variablesOf('\uFEFFA=1')).toEqual({ A: '1' });
  });

  it('has no trouble with names that objects have', () => {
    expect(Object.keys(variablesOf('__proto__=1\nconstructor=2'))).toContain('constructor');
  });
});

describe('writing a .env file', () => {
  it('is what is read back, byte for byte', () => {
    const letters = ['a', ' ', '\n', '\r', '\t', '"', "'", '`', '\\', '$', '#', '=', 'n', 'é', '😀'];
    const words = letters.flatMap((one) => letters.flatMap((two) => letters.map((three) => one + two + three)));
    const variables = Object.fromEntries(words.map((word, index) => [`V${index}`, word]));
    expect(variablesOf(printEnvText(variables))).toEqual(variables);
  });

  it('quotes only what needs it', () => {
    expect(printEnvText({ A: 'https://example.org/a?b', B: '3000', C: '' })).toBe(
      "A='https://example.org/a?b'\nB=3000\nC=\n",
    );
  });
});
