import { noDomain } from '@lilac/contract/domain-steps';
import { describe, expect, it } from 'vitest';
import { type DomainState, isAtWork, isEndangered, isTroubled, pauseAfter, retryOf } from './domain-state.ts';

const missing: DomainState = {
  ...noDomain,
  domain: 'www.example.org',
  certificate_status: 'provisioning',
  records: [{ type: 'CNAME', name: 'www.example.org', value: 'shop.lilac.test' }],
  error: 'None yet.',
};
const unaddressed: DomainState = { ...missing, records: [], error: 'No address.' };
const served: DomainState = { ...missing, dns_verified: true, certificate_status: 'issued', error: null };

describe('looking again', () => {
  it('is done soon while something may happen, and seldom when it has not for a long time', () => {
    expect(pauseAfter(missing, 0)).toBeLessThan(pauseAfter(missing, 1000)!);
    expect(pauseAfter({ ...missing, dns_verified: true }, 0)).toBe(pauseAfter(missing, 0));
    expect(pauseAfter({ ...served, certificate_status: 'failed' }, 0)).toBe(pauseAfter(missing, 1000));
    expect(pauseAfter({ ...served, dns_verified: false }, 0)).toBe(pauseAfter(missing, 0));
  });

  it('is done seldom where whoever runs the platform has to do something first', () => {
    expect(pauseAfter(unaddressed, 0)).toBe(pauseAfter(missing, 1000));
  });

  it('is not done where nothing is awaited', () => {
    expect([pauseAfter(noDomain, 0), pauseAfter(served, 0)]).toEqual([null, null]);
  });
});

describe('whose turn it is', () => {
  const looking: DomainState = { ...missing, error: null };
  const ordered: DomainState = { ...served, certificate_status: 'provisioning' };
  it.each([
    ['it was never looked for', looking, true, null],
    ['nobody could be asked for it', missing, false, 'look'],
    ['it is missing', { ...missing, dns_status: 'missing' }, false, 'look'],
    ['the platform has no address, and looking again finds none', unaddressed, false, null],
    ['it leads elsewhere', { ...missing, dns_status: 'wrong' }, false, 'look'],
    ['it does not lead here any more', { ...served, dns_verified: false, dns_status: 'astray' }, false, 'look'],
    ['the certificate is on its way', ordered, true, null],
    ['the certificate waits', { ...ordered, error: 'Too many.' }, false, 'try'],
    ['the certificate failed', { ...served, certificate_status: 'failed', error: 'No.' }, false, 'try'],
    ['it is served, and cannot be renewed', { ...served, error: 'It ends soon.' }, false, 'try'],
    ['it is served', served, false, null],
    ['there is none', noDomain, false, null],
  ] as const)('where %s', (_name, state: DomainState, isLilacs, retry) => {
    expect([isAtWork(state), retryOf(state)]).toEqual([isLilacs, retry]);
  });
});

it('a domain that is served is endangered when there is something to say about it', () => {
  expect([isEndangered(served), isEndangered({ ...served, error: 'It ends soon.' }), isEndangered(missing)]).toEqual([
    false,
    true,
    false,
  ]);
});

it('a domain is in trouble where somebody has to do something, and not while Lilac is at it or all is well', () => {
  const expiring: DomainState = { ...served, error: 'It ends soon.' };
  const failed: DomainState = { ...served, certificate_status: 'failed' };
  const troubled = [{ ...missing, dns_status: 'missing' } as const, unaddressed, expiring, failed];
  expect(troubled.map(isTroubled)).toEqual([true, true, true, true]);
  const fine: DomainState[] = [noDomain, served, { ...missing, error: null }];
  expect(fine.map(isTroubled)).toEqual([false, false, false]);
});
