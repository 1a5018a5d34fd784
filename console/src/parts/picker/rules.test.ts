import { describe, expect, it } from 'vitest';
import { indexOfChosen, matching, readKey } from './rules.ts';

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

const press = (key: string, active: number, count: number, more: object = {}) =>
  readKey({ key, isComposing: false, keyCode: 0, ...more }, active, count);

describe('where the keyboard goes', () => {
  it('around the ends with arrows, to them with pages', () => {
    expect(press('ArrowDown', 2, 3)).toBe(0);
    expect(press('ArrowUp', 0, 3)).toBe(2);
    expect(press('PageDown', 1, 3)).toBe(2);
    expect(press('PageUp', 1, 3)).toBe(0);
  });

  it('nowhere in an empty list, nor with other keys', () => {
    expect(press('ArrowDown', 0, 0)).toBeNull();
    expect(press('a', 0, 3)).toBeNull();
  });

  it('Enter picks, but not what an input method offers, nor do arrows go on from there', () => {
    expect(press('Enter', 1, 3)).toBe('pick');
    expect(press('Enter', 1, 3, { isComposing: true })).toBeNull();
    expect(press('Enter', 1, 3, { keyCode: 229 })).toBeNull();
    expect(press('ArrowDown', 1, 3, { isComposing: true })).toBeNull();
  });
});

it('one begins at what is chosen, and at the first where that is not among them', () => {
  expect(indexOfChosen(['feature/blue', 'main'], 'main')).toBe(1);
  expect(indexOfChosen(['feature/blue', 'main'], 'gone')).toBe(0);
  expect(indexOfChosen(['feature/blue', 'main'], undefined)).toBe(0);
});
