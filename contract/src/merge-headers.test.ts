import { describe, expect, it } from 'vitest';
import { mergeHeaders } from './merge-headers.ts';

describe('mergeHeaders', () => {
  it('sends each name once, with the last value, however it is spelt', () => {
    const merged = mergeHeaders({ Accept: 'a', 'x-b': '1' }, undefined, { 'X-B': '2' }, { 'x-B': '3' });
    expect(merged).toEqual({ accept: 'a', 'x-b': '3' });
  });
});
