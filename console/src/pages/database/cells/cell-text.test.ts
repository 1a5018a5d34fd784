import { describe, expect, it } from 'vitest';
import { isBinary, isBoolean, isCut, lookOf, textOf } from './cell-text.ts';

describe('a value in a table', () => {
  it.each([
    [null, 'text', 'null', 'NULL'],
    ['', 'text', 'empty', 'empty'],
    ['NULL', 'text', 'text', 'NULL'],
    ['a\n  b', 'text', 'text', 'a b'],
    [7, 'integer', 'number', '7'],
    [false, 'boolean', 'text', 'false'],
    [{ a: [1] }, 'jsonb', 'json', '{"a":[1]}'],
    [String.raw`\x00ff`, 'bytea', 'binary', String.raw`\x00ff (2 bytes)`],
    [String.raw`\x`, 'longblob', 'binary', String.raw`\x (0 bytes)`],
    [String.raw`\x00ff`, 'text', 'text', String.raw`\x00ff`],
  ] as const)('%j of a column of type %s is %s: %s', (value, type, kind, text) => {
    expect(lookOf(value as never, type)).toEqual({ kind, text, isCut: false });
  });

  it('is marked where only its beginning has come', () => {
    const beginning = 'x'.repeat(65_536);
    expect(lookOf(`${beginning}… (cut)`, 'text', true)).toEqual({ kind: 'text', text: beginning, isCut: true });
    const bytes = lookOf(`\\x${'ab'.repeat(32_768)}… (cut)`, 'bytea');
    const text = String.raw`\xabababababababab… (more than 32768 bytes)`;
    expect(bytes).toEqual({ kind: 'binary', text, isCut: true });
  });

  it('is whole where it is called cut by itself only', () => {
    const text = 'The scene… (cut)';
    expect(lookOf(text, 'text')).toEqual({ kind: 'text', text, isCut: false });
    expect(isCut(`${'x'.repeat(65_529)}… (cut)`)).toBe(false);
  });

  it('is one line of bounded length, unless all of it is asked for', () => {
    const text = `a\n${'y'.repeat(1000)}`;
    expect(lookOf(text, 'text').text).toHaveLength(161);
    expect(lookOf(text, 'text', true).text).toBe(text);
    expect(lookOf(`\\x${'ab'.repeat(9)}`, 'bytea', true).text).toBe(`\\x${'ab'.repeat(9)} (9 bytes)`);
  });
});

it('what holds bytes is known by its type', () => {
  const types = ['bytea', 'BLOB', 'mediumblob', 'varbinary(16)', 'text', 'bigint', 'blobby'];
  expect(types.filter(isBinary)).toEqual(['bytea', 'BLOB', 'mediumblob', 'varbinary(16)']);
});

it('what is true or false is known by its type, and a list of it is a list', () => {
  expect(['boolean', 'BOOL', 'boolean[]', 'bool_state', 'text'].filter(isBoolean)).toEqual(['boolean', 'BOOL']);
});

it('what is edited is all of it', () => {
  expect([textOf(null), textOf([1, 'a']), textOf(1.5)]).toEqual(['', '[1,"a"]', '1.5']);
});
