import { describe, expect, it } from 'vitest';
import { standingOf, stepsOf, type DomainProgress } from './domain-steps.ts';
import type { CertificateStatus } from './states.ts';

const at = (
  dns_verified: boolean,
  certificate_status: CertificateStatus,
  error: string | null = null,
): DomainProgress => ({
  domain: 'www.example.org',
  dns_verified,
  certificate_status,
  error,
});

describe('the way of a domain', () => {
  it.each([
    [at(false, 'provisioning'), 'looking', ['Looking for the record: current', 'ordered: ahead', 'issued: ahead']],
    [at(false, 'provisioning', 'None yet.'), 'missing', ['Record missing: current', 'ordered: ahead', 'issued: ahead']],
    [at(true, 'provisioning'), 'ordered', ['Record found: done', 'ordered: done', 'on its way: current']],
    [at(true, 'issued'), 'served', ['Record found: done', 'ordered: done', 'issued: done']],
    [at(true, 'renewing'), 'served', ['Record found: done', 'ordered: done', 'issued, being renewed: done']],
    [at(true, 'failed'), 'failed', ['Record found: done', 'ordered: done', 'failed: failed']],
    [at(false, 'issued'), 'astray', ['Record missing: current', 'ordered: done', 'issued: done']],
    [at(false, 'failed'), 'failed', ['Record missing: current', 'ordered: done', 'failed: failed']],
  ] as const)('%o is %s', (progress, standing, steps) => {
    expect(standingOf(progress)).toBe(standing);
    expect(stepsOf(progress).map(({ title, state }) => `${title.replace('Certificate ', '')}: ${state}`)).toEqual(
      steps,
    );
  });

  it('has no steps without a domain', () => {
    const none = { domain: null, dns_verified: false, certificate_status: 'none', error: null } as const;
    expect([standingOf(none), stepsOf(none)]).toEqual(['none', []]);
  });
});
