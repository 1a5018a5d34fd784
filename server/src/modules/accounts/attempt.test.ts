import { describe, expect, it } from 'vitest';
import { bucketsOf, networkOf, retryAfterSeconds } from './attempt.ts';

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8::192.0.2.7', '2001:db8:0:0::/64'],
  ])('counts %s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

it('one account has one counter, however its address is written', () => {
  const attempt = { purpose: 'login', address: '192.0.2.7' } as const;
  expect(bucketsOf({ ...attempt, account: 'Ann@Example.org' })).toEqual(
    bucketsOf({ ...attempt, account: 'ann@example.org' }),
  );
  expect(bucketsOf({ ...attempt, account: 'a' })).not.toEqual(bucketsOf({ ...attempt, purpose: 'mfa', account: 'a' }));
});

it('who guesses at an environment from one address shuts out no other, there or at another environment', () => {
  const attempt = { purpose: 'unlock', address: '192.0.2.7', account: 'env_1' } as const;
  const others = [attempt, { ...attempt, address: '192.0.2.8' }, { ...attempt, account: 'env_2' }];
  expect(new Set(others.flatMap((other) => Object.values(bucketsOf(other)).filter(Boolean))).size).toBe(3);
});

it('Retry-After is whole seconds, rounded up, and never zero', () => {
  const now = new Date(1_000_000);
  expect(retryAfterSeconds(new Date(1_001_001), now)).toBe(2);
  expect(retryAfterSeconds(now, now)).toBe(1);
});
