import type { z } from 'zod';
import type { domainState } from './domains.ts';
import type { CertificateStatus, dnsRecordTypes, DnsStatus } from './states.ts';

/** What of a domain's state tells how far it is. */
export interface DomainProgress {
  domain: string | null;
  dns_verified: boolean;
  /** Left out by platforms that do not tell yet. */
  dns_status?: DnsStatus;
  certificate_status: CertificateStatus;
  /** What to create; left out where nobody asked. */
  records?: readonly { type: (typeof dnsRecordTypes)[number] }[];
  error: string | null;
}

/** What is told of an environment without a domain of its own. */
export const noDomain: z.output<typeof domainState> = {
  domain: null,
  dns_verified: false,
  dns_status: 'unchecked',
  certificate_status: 'none',
  records: [],
  error: null,
  url: null,
  auto_subdomain: true,
};

/** How it is with the records of a domain that do not lead here, or do not show whose it is. */
type RecordStanding = 'unaddressed' | 'looking' | 'missing' | 'wrong' | 'astray';

/**
 * `unaddressed`: the platform knows no address of its own that a record could lead to. `looking`: nobody has seen yet
 * what records it has. `missing`: one is not there. `wrong`: it leads elsewhere. `astray`: it led here, and does not
 * any more. `ordered`: the certificate is on its way. `waiting`: it cannot be ordered at the moment. `served`: all is
 * there. `proxied`: all is there, and https is not the platform's to do. `failed`: there is no certificate, and there
 * was an attempt.
 */
export type DomainStanding = 'none' | RecordStanding | 'ordered' | 'waiting' | 'served' | 'proxied' | 'failed';

export type StepState = 'done' | 'current' | 'failed' | 'ahead';

export interface DomainStep {
  title: string;
  state: StepState;
}

export function standingOf(progress: DomainProgress): DomainStanding {
  const { domain, dns_verified, certificate_status, error } = progress;
  if (domain === null) return 'none';
  if (certificate_status === 'failed') return 'failed';
  if (!dns_verified) return recordStandingOf(progress);
  if (certificate_status === 'none') return 'proxied';
  if (hasCertificate(certificate_status)) return 'served';
  return error === null ? 'ordered' : 'waiting';
}

/** The way of every domain, with how far this one has come: record found, certificate ordered, certificate issued. */
export function stepsOf(progress: DomainProgress): DomainStep[] {
  const { dns_verified, certificate_status } = progress;
  const standing = standingOf(progress);
  if (standing === 'none') return [];
  const record: DomainStep = dns_verified
    ? { title: 'Record found', state: 'done' }
    : { title: recordTitles[recordStandingOf(progress)], state: 'current' };
  if (certificate_status === 'none') {
    return [record, { title: 'https is up to a proxy in front', state: dns_verified ? 'done' : 'ahead' }];
  }
  return [record, ...certificateSteps(standing, certificate_status)];
}

function recordStandingOf(progress: DomainProgress): RecordStanding {
  const { dns_status, certificate_status, error } = progress;
  if (!hasWayHere(progress)) return 'unaddressed';
  if (dns_status === 'unchecked') return 'looking';
  if (dns_status !== undefined && dns_status !== 'found') return dns_status;
  if (hasCertificate(certificate_status)) return 'astray';
  return error === null ? 'looking' : 'missing';
}

/** One that only shows whose the domain is leads nowhere. */
function hasWayHere({ records }: DomainProgress): boolean {
  return records === undefined || records.some(({ type }) => type !== 'TXT');
}

const recordTitles: Record<RecordStanding, string> = {
  unaddressed: 'No address to point the domain at',
  looking: 'Looking for the record',
  missing: 'Record missing',
  wrong: 'Record leads elsewhere',
  astray: 'Record no longer leads here',
};

const hasCertificate = (status: CertificateStatus) => status === 'issued' || status === 'renewing';

function certificateSteps(standing: DomainStanding, status: CertificateStatus): DomainStep[] {
  const ordered: DomainStep = { title: 'Certificate ordered', state: 'done' };
  if (standing === 'failed') return [ordered, { title: 'Certificate failed', state: 'failed' }];
  if (standing === 'ordered') return [ordered, { title: 'Certificate on its way', state: 'current' }];
  if (hasCertificate(status)) {
    const title = status === 'renewing' ? 'Certificate issued, being renewed' : 'Certificate issued';
    return [ordered, { title, state: 'done' }];
  }
  const isWaiting = standing === 'waiting';
  return [
    isWaiting
      ? { title: 'Certificate waits to be ordered', state: 'current' }
      : { title: 'Certificate ordered', state: 'ahead' },
    { title: 'Certificate issued', state: 'ahead' },
  ];
}
