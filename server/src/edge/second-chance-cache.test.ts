import { describe, expect, it } from 'vitest';
import { SecondChanceCache } from './second-chance-cache.ts';

describe('the cache', () => {
  it('never weighs more than it may', () => {
    const cache = new SecondChanceCache<number>(10);
    for (let number = 0; number < 100; number++) {
      cache.set(`key ${number}`, number, 3);
      cache.get(`key ${number % 7}`);
      expect(cache.weight).toBeLessThanOrEqual(10);
    }
    expect(cache.get('key 99')).toBe(99);
  });

  it('keeps what is used, and drops what is not', () => {
    const cache = new SecondChanceCache<string>(3);
    cache.set('used', 'x', 1);
    for (let number = 0; number < 50; number++) {
      expect(cache.get('used')).toBe('x');
      cache.set(`once ${number}`, 'y', 1);
    }
  });

  it('holds one thing that is too heavy, but nothing beside it', () => {
    const cache = new SecondChanceCache<string>(3);
    cache.set('small', 'x', 1);
    cache.set('heavy', 'y', 10);
    expect([cache.get('small'), cache.get('heavy')]).toEqual([undefined, 'y']);
    cache.set('small', 'x', 1);
    expect([cache.get('small'), cache.get('heavy')]).toEqual(['x', undefined]);
  });

  it('counts what is replaced once', () => {
    const cache = new SecondChanceCache<string>(3);
    for (let round = 0; round < 10; round++) cache.set('same', 'x', 2);
    expect(cache.weight).toBe(2);
    cache.delete('same');
    expect(cache.weight).toBe(0);
  });
});
