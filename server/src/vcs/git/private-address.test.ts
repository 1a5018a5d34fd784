import { describe, expect, it } from 'vitest';
import { isInRanges, isPrivateAddress } from './private-address.ts';

describe('isPrivateAddress', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:7f00:1',
    '::127.0.0.1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    'nonsense',
    '',
  ])('%s is', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(['8.8.8.8', '140.82.112.3', '172.32.0.1', '100.128.0.1', '2606:50c0:8000::153', '::ffff:8.8.8.8'])(
    '%s is not',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );
});

describe('isInRanges', () => {
  it('knows ranges and single addresses of both families', () => {
    const ranges = ['10.0.0.0/8', '192.168.7.7', 'fd00::/8', 'nonsense'];
    expect(['10.2.3.4', '192.168.7.7', 'fd00::1', '::ffff:10.0.0.1'].map((each) => isInRanges(ranges, each))).toEqual(
      Array(4).fill(true),
    );
    expect(['11.0.0.1', '192.168.7.8', 'fe80::1', 'nonsense'].map((each) => isInRanges(ranges, each))).toEqual(
      Array(4).fill(false),
    );
    expect(isInRanges([], '10.0.0.1')).toBe(false);
  });
});
