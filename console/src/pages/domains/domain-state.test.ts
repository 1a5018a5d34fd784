import { describe, expect, it } from 'vitest';
import { type DomainState, isEndangered, noDomain, pauseAfter } from './domain-state.ts';

const missing: DomainState = {
  ...noDomain,
  domain: 'www.example.org',
  certificate_status: 'provisioning',
  error: 'None yet.',
};
const served: DomainState = { ...missing, dns_verified: true, certificate_status: 'issued', error: null };

describe('looking again', () => {
  it('is done soon while something may happen, and seldom when it has not for a long time', () => {
    expect(pauseAfter(missing, 0)).toBeLessThan(pauseAfter(missing, 1000)!);
    expect(pauseAfter({ ...missing, dns_verified: true }, 0)).toBe(pauseAfter(missing, 0));
    expect(pauseAfter({ ...served, certificate_status: 'failed' }, 0)).toBe(pauseAfter(missing, 1000));
    expect(pauseAfter({ ...served, dns_verified: false }, 0)).toBe(pauseAfter(missing, 0));
  });

  it('is not done where nothing is awaited', () => {
    expect([pauseAfter(noDomain, 0), pauseAfter(served, 0)]).toEqual([null, null]);
  });
});

it('a domain that is served is endangered when there is something to say about it', () => {
  expect([isEndangered(served), isEndangered({ ...served, error: 'It ends soon.' }), isEndangered(missing)]).toEqual([
    false,
    true,
    false,
  ]);
});
