import type { CertificateStatus } from './states.ts';

/** What of a domain's state tells how far it is. */
export interface DomainProgress {
  domain: string | null;
  dns_verified: boolean;
  certificate_status: CertificateStatus;
  error: string | null;
}

/**
 * `looking`: nobody has looked for its record yet. `missing`: its record is not there. `ordered`: the certificate is on its way. `served`: all is there. `astray`: it was
 * served, and its records lead elsewhere now. `failed`: there is no certificate, and there was an attempt.
 */
export type DomainStanding = 'none' | 'looking' | 'missing' | 'ordered' | 'served' | 'astray' | 'failed';

export type StepState = 'done' | 'current' | 'failed' | 'ahead';

export interface DomainStep {
  title: string;
  state: StepState;
}

export function standingOf({ domain, dns_verified, certificate_status, error }: DomainProgress): DomainStanding {
  if (domain === null) return 'none';
  if (certificate_status === 'failed') return 'failed';
  if (hasCertificate(certificate_status)) return dns_verified ? 'served' : 'astray';
  if (dns_verified) return 'ordered';
  return error === null ? 'looking' : 'missing';
}

/** The way of every domain, with how far this one has come: record found, certificate ordered, certificate issued. */
export function stepsOf(progress: DomainProgress): DomainStep[] {
  const { dns_verified, certificate_status } = progress;
  const standing = standingOf(progress);
  if (standing === 'none') return [];
  return [
    dns_verified
      ? { title: 'Record found', state: 'done' }
      : { title: standing === 'looking' ? 'Looking for the record' : 'Record missing', state: 'current' },
    { title: 'Certificate ordered', state: standing === 'looking' || standing === 'missing' ? 'ahead' : 'done' },
    { title: titleOf(standing, certificate_status), state: issuedStates[standing] },
  ];
}

const hasCertificate = (status: CertificateStatus) => status === 'issued' || status === 'renewing';

function titleOf(standing: DomainStanding, status: CertificateStatus): string {
  if (standing === 'failed') return 'Certificate failed';
  if (standing === 'ordered') return 'Certificate on its way';
  return status === 'renewing' ? 'Certificate issued, being renewed' : 'Certificate issued';
}

const issuedStates: Record<Exclude<DomainStanding, 'none'>, StepState> = {
  looking: 'ahead',
  missing: 'ahead',
  ordered: 'current',
  served: 'done',
  astray: 'done',
  failed: 'failed',
};
