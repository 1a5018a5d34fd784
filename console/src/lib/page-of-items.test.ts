import { expect, it } from 'vitest';
import { pageOfItems, readPageNumber } from './page-of-items.ts';

it('a page of a list has its items, and the last those that are left', () => {
  const items = ['a', 'b', 'c', 'd', 'e'];
  expect(pageOfItems(items, 1, 2)).toEqual({ items: ['a', 'b'], totalItems: 5, totalPages: 3, currentPage: 1 });
  expect(pageOfItems(items, 3, 2)).toMatchObject({ items: ['e'], currentPage: 3 });
  expect(pageOfItems(items, 9, 2)).toMatchObject({ items: ['e'], currentPage: 3 });
  expect(pageOfItems([], 2, 2)).toEqual({ items: [], totalItems: 0, totalPages: 0, currentPage: 1 });
});

it('the page that an address names is a number, or the first', () => {
  expect(['3', '', '0', '-1', 'x', '1e3'].map(readPageNumber)).toEqual([3, 1, 1, 1, 1, 1]);
});
