import { describe, expect, it } from 'vitest';
import { matching, nextActive, indexOfChosen } from './rules.ts';

const find = (typed: string, ...names: string[]) => matching(names, typed, (name) => name);

describe('what a search finds', () => {
  it('is everything while nothing is typed', () => expect(find(' ', 'b', 'a')).toEqual(['b', 'a']));

  it('has every word, in whatever case and order', () => {
    expect(find('SHOP acme', 'acme/shop', 'acme/blog', 'other/shop')).toEqual(['acme/shop']);
  });

  it('begins with the exact one, then those that begin with it', () => {
    expect(find('main', 'domain', 'feature/main-menu', 'main-2', 'main')).toEqual([
      'main',
      'feature/main-menu',
      'main-2',
      'domain',
    ]);
  });
});

describe('where the keyboard goes', () => {
  it('around the ends with arrows, to them with pages', () => {
    expect(nextActive('ArrowDown', 2, 3)).toBe(0);
    expect(nextActive('ArrowUp', 0, 3)).toBe(2);
    expect(nextActive('PageDown', 1, 3)).toBe(2);
    expect(nextActive('PageUp', 1, 3)).toBe(0);
  });

  it('nowhere in an empty list, nor with other keys', () => {
    expect(nextActive('ArrowDown', 0, 0)).toBeNull();
    expect(nextActive('a', 0, 3)).toBeNull();
  });
});

it('one begins at what is chosen, and at the first where that is not among them', () => {
  expect(indexOfChosen(['feature/blue', 'main'], 'main')).toBe(1);
  expect(indexOfChosen(['feature/blue', 'main'], 'gone')).toBe(0);
  expect(indexOfChosen(['feature/blue', 'main'], undefined)).toBe(0);
});
