import { describe, expect, it } from 'vitest';
import { hostAddress, macOf, overlaps, rangeCidr, rangesOf, SLOT_COUNT, slotAddress } from './address-range.ts';

const range = { start: '10.213.36' };

describe('the addresses of an installation', () => {
  it('begin with the host’s, and hold every slot', () => {
    expect(rangeCidr(range)).toBe('10.213.36.0/22');
    expect(hostAddress(range)).toBe('10.213.36.1');
    expect(slotAddress(range, 1)).toBe('10.213.36.2');
    expect(slotAddress(range, 255)).toBe('10.213.37.0');
    expect(slotAddress(range, SLOT_COUNT)).toBe('10.213.39.233');
  });

  it('are one of 64 parts of the subnet, in an order of its own', () => {
    const starts = rangesOf('10.213', 'abcdef01').map(({ start }) => start);
    expect(new Set(starts).size).toBe(64);
    expect(starts.every((start) => /^10\.213\.\d+$/.test(start))).toBe(true);
    expect(rangesOf('10.213', '00000100')[0]).not.toEqual(rangesOf('10.213', 'abcdef01')[0]);
  });

  it.each([
    ['10.213.36.0/24', true],
    ['10.213.39.255', true],
    ['10.213.0.1/16', true],
    ['10.213.40.0/22', false],
    ['10.213.35.255', false],
    ['10.0.0.0/8', false],
    ['fd00::/64', false],
  ])('meet %s: %s', (network, isMet) => {
    expect(overlaps(range, network)).toBe(isMet);
  });

  it('give each slot the same hardware address every time', () => {
    expect(macOf('10.213.36.2')).toBe('02:4c:0a:d5:24:02');
  });
});
