import { describe, expect, it } from 'vitest';
import { CLOUD_METADATA, EXAMPLES, holdsAddress, NOT_PUBLIC, toBlockList } from './address-ranges.ts';

/** The last address of each range; none is in two. */
const LISTS = [
  {
    name: 'cloud metadata',
    ranges: CLOUD_METADATA,
    lasts: ['169.254.255.255', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  },
  {
    name: 'what else is not public',
    ranges: NOT_PUBLIC.filter((range) => !CLOUD_METADATA.includes(range)),
    lasts: [
      '0.255.255.255',
      '10.255.255.255',
      '100.127.255.255',
      '127.255.255.255',
      '172.31.255.255',
      '192.0.0.255',
      '192.88.99.255',
      '192.168.255.255',
      '198.19.255.255',
      '239.255.255.255',
      '255.255.255.255',
      '::ffff:ffff',
      '::ffff:0:ffff:ffff',
      '64:ff9b:1:ffff:ffff:ffff:ffff:ffff',
      '100::ffff:ffff:ffff:ffff',
      '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
      '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    ],
  },
  {
    name: 'examples in books',
    ranges: EXAMPLES,
    lasts: [
      '192.0.2.255',
      '198.51.100.255',
      '203.0.113.255',
      '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
      '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    ],
  },
];

describe.each(LISTS)('the list of $name', ({ ranges, lasts }) => {
  it.each(lasts)('holds %s', (address) => expect(holdsAddress(toBlockList(ranges), address)).toBe(true));

  it('has no range of which no address is tried here', () => {
    const untried = ranges.filter((range) => !lasts.some((address) => holdsAddress(toBlockList([range]), address)));
    expect(untried).toEqual([]);
  });
});

it('what is not public holds cloud metadata', () => {
  expect(NOT_PUBLIC).toEqual(expect.arrayContaining([...CLOUD_METADATA]));
});
