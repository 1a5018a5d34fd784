import { describe, expect, it } from 'vitest';
import { standingOf, stepsOf, type DomainProgress } from './domain-steps.ts';
import type { CertificateStatus, DnsStatus } from './states.ts';

const at = (
  dns_status: DnsStatus | undefined,
  certificate_status: CertificateStatus,
  error: string | null = null,
): DomainProgress => ({
  domain: 'www.example.org',
  dns_verified: dns_status === 'found',
  ...(dns_status !== undefined && { dns_status }),
  certificate_status,
  error,
});

describe('the way of a domain', () => {
  it.each([
    [
      at('unchecked', 'provisioning'),
      'looking',
      ['Looking for the record: current', 'ordered: ahead', 'issued: ahead'],
    ],
    [
      at('missing', 'provisioning', 'None yet.'),
      'missing',
      ['Record missing: current', 'ordered: ahead', 'issued: ahead'],
    ],
    [
      at('wrong', 'provisioning', 'Elsewhere.'),
      'wrong',
      ['Record leads elsewhere: current', 'ordered: ahead', 'issued: ahead'],
    ],
    [at('found', 'provisioning'), 'ordered', ['Record found: done', 'ordered: done', 'on its way: current']],
    [
      at('found', 'provisioning', 'A limit is reached.'),
      'waiting',
      ['Record found: done', 'waits to be ordered: current', 'issued: ahead'],
    ],
    [at('found', 'issued'), 'served', ['Record found: done', 'ordered: done', 'issued: done']],
    [at('found', 'renewing'), 'served', ['Record found: done', 'ordered: done', 'issued, being renewed: done']],
    [at('found', 'failed'), 'failed', ['Record found: done', 'ordered: done', 'failed: failed']],
    [at('astray', 'issued', 'x'), 'astray', ['Record no longer leads here: current', 'ordered: done', 'issued: done']],
    // A wildcard whose certificate came by its TXT record alone.
    [at('missing', 'issued', 'x'), 'missing', ['Record missing: current', 'ordered: done', 'issued: done']],
    [at('wrong', 'failed', 'x'), 'failed', ['Record leads elsewhere: current', 'ordered: done', 'failed: failed']],
    [at('found', 'none'), 'proxied', ['Record found: done', 'https is up to a proxy in front: done']],
    [at('missing', 'none', 'x'), 'missing', ['Record missing: current', 'https is up to a proxy in front: ahead']],
  ] as const)('%o is %s', (progress, standing, steps) => {
    expect(standingOf(progress)).toBe(standing);
    expect(stepsOf(progress).map(({ title, state }) => `${title.replace('Certificate ', '')}: ${state}`)).toEqual(
      steps,
    );
  });

  it.each([
    [at(undefined, 'provisioning'), 'looking'],
    [at(undefined, 'provisioning', 'None yet.'), 'missing'],
    [at(undefined, 'issued', 'x'), 'astray'],
  ] as const)('is told as far as it is known of a platform that says less: %o is %s', (progress, standing) => {
    expect(standingOf(progress)).toBe(standing);
  });

  it.each([
    ['no record', []],
    ['a record that only shows whose it is', [{ type: 'TXT' }]],
  ] as const)('misses no record where the platform has no address to lead to: %s', (_, records) => {
    const progress = { ...at('missing', 'provisioning', 'No address.'), records };
    expect(standingOf(progress)).toBe('unaddressed');
    expect(stepsOf(progress)[0]).toEqual({ title: 'No address to point the domain at', state: 'current' });
    expect(standingOf({ ...at('astray', 'issued', 'No address.'), records })).toBe('unaddressed');
    expect(standingOf({ ...at('found', 'issued'), records })).toBe('served');
    expect(standingOf({ ...progress, records: [...records, { type: 'A' }] })).toBe('missing');
  });

  it('has no steps without a domain', () => {
    const none = { domain: null, dns_verified: false, certificate_status: 'none', error: null } as const;
    expect([standingOf(none), stepsOf(none)]).toEqual(['none', []]);
  });
});
