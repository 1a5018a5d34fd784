import { describe, expect, it } from 'vitest';
import { parseAnsi } from '../../lib/ansi.ts';
import { piecesOf } from './pieces.ts';

describe('a text that is found', () => {
  it('is marked across colours', () => {
    const spans = parseAnsi('an \u001B[31mer\u001B[1mror\u001B[0m, errors');
    const pieces = piecesOf(spans, 'error');
    expect(pieces.map(({ text, isFound }) => [text, isFound])).toEqual([
      ['an ', false],
      ['er', true],
      ['ror', true],
      [', ', false],
      ['error', true],
      ['s', false],
    ]);
  });

  it('is marked in a part of a line as in the whole', () => {
    const spans = parseAnsi(`${'ab'.repeat(500)}\u001B[31m${'ab'.repeat(500)}`);
    const pieces = piecesOf(spans, 'ba', { start: 998, end: 1004, breaks: [1002] });
    expect(pieces.map(({ text, style, isFound }) => [text, style?.ink, isFound])).toEqual([
      ['a', undefined, true],
      ['b', undefined, true],
      ['a', 1, true],
      ['b', 1, true],
      ['a', 1, true],
      ['b', 1, true],
    ]);
  });
});
