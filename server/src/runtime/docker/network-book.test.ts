import { describe, expect, it } from 'vitest';
import { AddressBook } from './network-book.ts';

const SUBNET = '10.213.36.16/28';
const ADDRESSES = ['10.213.36.18', '10.213.36.19', '10.213.36.20'];

describe('the addresses of a network', () => {
  it('are given one after another, and one that was given back not before all others', () => {
    const book = new AddressBook();
    const take = () => book.take(SUBNET, ADDRESSES);
    expect(take()).toBe('10.213.36.18');
    book.forget('10.213.36.18');
    expect(take()).toBe('10.213.36.19');
    expect(take()).toBe('10.213.36.20');
    expect(take()).toBe('10.213.36.18');
    expect(take()).toBeNull();
  });

  it('that an earlier process gave are not given again', () => {
    const book = new AddressBook();
    book.note('10.213.36.18');
    expect(book.take(SUBNET, ADDRESSES)).toBe('10.213.36.19');
    expect(book.hasAnyIn(SUBNET)).toBe(true);
    for (const address of ADDRESSES) book.forget(address);
    expect(book.hasAnyIn(SUBNET)).toBe(false);
  });
});
