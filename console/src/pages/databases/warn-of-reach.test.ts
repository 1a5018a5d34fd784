import { expect, it } from 'vitest';
import { warnOfReach } from './warn-of-reach.ts';

it('a database that is reached from anywhere is said to be, and no other', () => {
  expect(warnOfReach({ isPublic: true, networks: ' \n' })).toContain('Everybody on the network can try to connect');
  expect(warnOfReach({ isPublic: true, networks: '' })).toContain('can be changed at any time');
  expect(warnOfReach({ isPublic: true, networks: '203.0.113.0/24' })).toBeNull();
  expect(warnOfReach({ isPublic: false, networks: '' })).toBeNull();
});
