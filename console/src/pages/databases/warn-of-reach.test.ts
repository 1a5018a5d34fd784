import { expect, it } from 'vitest';
import { warnOfReach } from './warn-of-reach.ts';

it('a database that is reached from anywhere is said to be, and no other', () => {
  const reached = warnOfReach({ isPublic: true, networks: ' \n' }, false);
  expect(reached).toContain('Everybody on the network can try to connect');
  expect(warnOfReach({ isPublic: true, networks: '203.0.113.0/24' }, false)).toBeNull();
  expect(warnOfReach({ isPublic: false, networks: '' }, true)).toBeNull();
});

it('who makes one is led to its settings, and who is there is not', () => {
  const open = { isPublic: true, networks: '' };
  expect(warnOfReach(open, true)).toContain('can be changed at any time, in its settings');
  expect(warnOfReach(open, false)).not.toContain('settings');
});
