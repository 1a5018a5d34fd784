import { describe, expect, it } from 'vitest';
import { addressesOf, doOverlap, isInNetwork, partsOf } from './cidr.ts';

describe('networks by their addresses', () => {
  it('have so many addresses and parts', () => {
    expect(addressesOf('10.213.36.252/30')).toEqual([
      '10.213.36.252',
      '10.213.36.253',
      '10.213.36.254',
      '10.213.36.255',
    ]);
    expect(addressesOf('10.213.36.7')).toEqual(['10.213.36.7']);
    expect([...partsOf('10.213.36.0/22', 28)]).toHaveLength(64);
    expect([...partsOf('10.213.36.0/22', 28)].at(-1)).toBe('10.213.39.240/28');
  });

  it('overlap where one lies in the other', () => {
    expect(doOverlap('10.213.36.0/22', '10.213.39.240/28')).toBe(true);
    expect(doOverlap('10.213.39.240/28', '10.213.36.0/22')).toBe(true);
    expect(doOverlap('10.213.36.0/28', '10.213.36.16/28')).toBe(false);
    expect(isInNetwork('10.213.36.31', '10.213.36.16/28')).toBe(true);
    expect(isInNetwork('10.213.36.32', '10.213.36.16/28')).toBe(false);
    expect(doOverlap('240.0.0.0/4', '255.255.255.255')).toBe(true);
  });
});
