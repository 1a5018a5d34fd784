import { expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

it.each(['203.0.113.9', '8.8.8.8', '192.0.2.9', '172.32.0.1', '2606:4700::1', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fd00::1',
  'fe80::1',
  'fec0::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::ffff:168.63.129.16',
  '::ffff:0:7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b::a83f:8110',
  '2002:a9fe:a9fe::',
  '2001::1',
  'fe80::1%eth0',
  'not an address',
])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));
