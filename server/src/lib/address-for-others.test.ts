import { describe, expect, it } from 'vitest';
import { addressForOthers, outerAddresses, type OwnAddress } from './address-for-others.ts';

const of = (family: string, address: string, internal = false): OwnAddress => ({ family, address, internal });
const own = [
  of('IPv4', '127.0.0.1', true),
  of('IPv6', 'fe80::1'),
  of('IPv6', 'fd00::7'),
  of('IPv4', '172.17.0.1'),
  of('IPv4', '10.0.0.7'),
];
const choose = (host: string, range: string | null, all = own) => addressForOthers(host, range, () => all);

describe('what others are told of where somebody listens', () => {
  it('is the address that was set', () => {
    expect(choose('203.0.113.7', '10.0.0.0/24')).toBe('203.0.113.7');
  });

  it('is for who listens everywhere the one in the range of the hosts, else the first that leads here', () => {
    expect(choose('::', '10.0.0.0/24')).toBe('10.0.0.7');
    expect(choose('0.0.0.0', '10.0.5.0/24')).toBe('172.17.0.1');
    expect(choose('0.0.0.0', null)).toBe('172.17.0.1');
    expect(choose('::', null, own.slice(0, 3))).toBe('fd00::7');
    expect(choose('::', null, own.slice(0, 2))).toBe('127.0.0.1');
  });
});

it('a machine’s addresses are all by which others may come, also one that hangs on its loopback', () => {
  const more = [of('IPv6', '::1', true), of('IPv4', '203.0.113.7', true), of('IPv4', '10.0.0.7')];
  expect(outerAddresses(() => [...own, ...more])).toEqual(['10.0.0.7', '172.17.0.1', '203.0.113.7', 'fd00::7']);
  expect(outerAddresses()).not.toContain('127.0.0.1');
});
