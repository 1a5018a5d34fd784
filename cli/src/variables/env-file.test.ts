import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { formatEnvFile, parseEnvFile } from './env-file.ts';

const parse = (text: string) => parseEnvFile(text, '.env');

describe('parseEnvFile', () => {
  it.each([
    ['plain', 'A=1\nB=two words\n', { A: '1', B: 'two words' }],
    ['spaces around', '  A =  1  \n\texport\tB= 2\n', { A: '1', B: '2' }],
    ['comments and blank lines', '# A=0\n\n  # x\nA=1 # one\nB=#2\nC= # nothing\n', { A: '1', B: '#2', C: '' }],
    [
      '# within a value',
      'A=a#b\nB=a #b\nC="a # b"\nD=\'#\' # x\nE=http://h/#/x',
      {
        A: 'a#b',
        B: 'a',
        C: 'a # b',
        D: '#',
        E: 'http://h/#/x',
      },
    ],
    ['$ untouched', 'A=$HOME\nB="${X}$$"\nC=\'$x\'\nD=pa$$w0rd', { A: '$HOME', B: '${X}$$', C: '$x', D: 'pa$$w0rd' }],
    [
      'quotes',
      'A="say \\"hi\\""\nB=\'a\\nb\'\nC="a\\nb\\t\\\\n"\nD=`"\'`\nE=""\nF=it\'s',
      {
        A: 'say "hi"',
        B: 'a\\nb',
        C: 'a\nb\t\\n',
        D: '"\'',
        E: '',
        F: "it's",
      },
    ],
    ['unknown escapes', 'A="\\d\\$"', { A: '\\d\\$' }],
    ['several lines', 'KEY="-----BEGIN\nx=1\n-----END"\nB=2', { KEY: '-----BEGIN\nx=1\n-----END', B: '2' }],
    ['CRLF and a BOM', '\uFEFFA=1\r\nB="x\r\ny"\r\nC=3', { A: '1', B: 'x\ny', C: '3' }],
    ['= in a value', 'A=a=b==', { A: 'a=b==' }],
    ['nothing', 'A=\nB= ', { A: '', B: '' }],
    ['the last one counts', 'A=1\nA=2', { A: '2' }],
  ])('reads %s', (_, text, variables) => {
    expect(parse(text)).toEqual(variables);
  });

  it.each([
    ['A=1\n2B=secret', 'line 2: this is not'],
    ['A=1\n\nB="secret\nmore', 'line 3: the value of B begins with "'],
    ['A="x"secret', 'line 1: there is something after the end of the value of A'],
    ['just secret words', 'line 1: this is not'],
  ])('says where %j is wrong, without the value', (text, message) => {
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).not.toThrow('secret');
  });
});

describe('formatEnvFile', () => {
  it('writes what is read again byte for byte', () => {
    const odd = [
      '',
      ' a ',
      '#',
      'a#b',
      'a #b',
      '$x',
      "it's",
      '"',
      '\\',
      '\\n',
      "'\\n\n",
      'a\nb',
      'a\r\nb',
      '\r\'"`',
      'ü',
      '\t',
      '`',
      '=',
      'a\\',
      'C:\\my dir\\',
      ' a b\\',
      'a #b\\',
      "'a\\",
      'a\nb c\\',
    ];
    const variables = Object.fromEntries(odd.map((value, index) => [`N${index}`, value]));
    expect(parse(formatEnvFile(variables))).toEqual(variables);
    expect(formatEnvFile({ B: 'two words', A: 'x/1' })).toBe("A=x/1\nB='two words'\n");
  });
  it('writes what Node reads in the same way, whatever quotes and backslashes a value has', () => {
    const odd = [
      "it's",
      `it's "so"`,
      `'\\n"`,
      '\\d',
      'a b\\n',
      'C:\\x\\',
      'C:\\my dir\\',
      "it's my dir\\",
      'say "x" `y` \\',
      'two\nlines\' "end"',
      'a#b',
      ' # ',
      '$x',
      '`',
    ];
    const variables = Object.fromEntries(odd.map((value, index) => [`N${index}`, value]));
    expect(parseEnv(formatEnvFile(variables))).toEqual(variables);
    expect(parse(formatEnvFile(variables))).toEqual(variables);
  });
});
