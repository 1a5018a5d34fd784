import { describe, expect, it } from 'vitest';
import { fuzzyFilter, fuzzyScore } from './fuzzy-match.ts';

const filter = (typed: string, ...texts: string[]) => fuzzyFilter(typed, texts, (text) => text);

describe('fuzzyFilter', () => {
  it('puts the whole name first, then what begins with it, then a word of it, then any part', () => {
    expect(filter('shop', 'workshop', 'my shop', 'shop-eu', 'shop')).toEqual([
      'shop',
      'shop-eu',
      'my shop',
      'workshop',
    ]);
  });

  it('finds the first letters of words, and letters left out', () => {
    expect(filter('ak', 'Activity', 'API keys')).toEqual(['API keys']);
    expect(filter('dtb', 'Databases', 'Domains')).toEqual(['Databases']);
    expect(filter('xq', 'Databases')).toEqual([]);
  });

  it('wants every typed word, in any order', () => {
    expect(filter('prod shop', 'shop production', 'shop preview')).toEqual(['shop production']);
  });

  it('minds neither capitals nor accents', () => {
    expect(filter('cafe', 'Café')).toEqual(['Café']);
    expect(filter('CAFÉ', 'cafe')).toEqual(['cafe']);
  });

  it('keeps everything in its order when nothing is typed', () => {
    expect(filter('  ', 'b', 'a')).toEqual(['b', 'a']);
  });
});

describe('fuzzyScore', () => {
  it('does not see a word in letters that are scattered over the whole text', () => {
    expect(fuzzyScore('ants', 'applications not sorted')).not.toBeNull();
    expect(fuzzyScore('cells', 'connections elsewhere all tools')).toBeNull();
  });
});
