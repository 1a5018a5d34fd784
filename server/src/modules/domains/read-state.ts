import { noDomain } from '@lilac/contract/domain-steps';
import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { DomainRow, EnvironmentRow } from '../../db/schema.ts';
import { notFound } from '../../lib/fault.ts';
import { certificateOf } from '../certificates/certificate-store.ts';
import { findDomainOf, findGenerated } from './domain-store.ts';
import type { DomainsDeps } from './domains-deps.ts';
import { isWildcard } from './hostname.ts';
import { NO_ADDRESS } from './judge-dns.ts';
import { leadingRecords, recordsFor } from './records.ts';
import { wantedName } from './wanted-name.ts';

export type DomainState = OutputOf<Endpoints['applications.check-domain']>;

/** How far the domain of an environment is, as it was last seen. */
export async function readState(deps: DomainsDeps, { id }: Pick<EnvironmentRow, 'id'>): Promise<DomainState> {
  const { db } = deps.store;
  const [environment, domain] = await Promise.all([findGenerated(db, id), findDomainOf(db, id)]);
  if (!environment) throw notFound('Environment');
  const auto_subdomain = !environment.hides_subdomain;
  if (!domain) return { ...noDomain, auto_subdomain };
  const [certificate, addresses] = await Promise.all([certificateOf(db, domain.id), deps.platformAddresses()]);
  const wanted = await wantedName(deps, db, { domain, environment, addresses });
  const isVerified = domain.is_pointing && domain.verified_at !== null;
  // Behind a proxy that does https there is none, and whatever there was before is of no use.
  const isSecure = deps.config.tls.port !== null;
  const lacksAddress = leadingRecords(wanted).length === 0 && !domain.is_pointing;
  return {
    domain: domain.hostname,
    dns_verified: isVerified,
    dns_status: isVerified ? 'found' : dnsStatusOf(domain),
    certificate_status: isSecure ? (certificate?.status ?? 'provisioning') : 'none',
    records: recordsFor(wanted),
    error: wordsOf({ ...domain, isVerified, lacksAddress }, isSecure ? (certificate?.error ?? null) : null),
    url: isWildcard(domain.hostname) ? null : addressOf(deps.config, domain.hostname),
    auto_subdomain,
  };
}

/** What is with the records comes first. Where all that is with them is that nobody can be asked, it hides nothing. */
function wordsOf(
  { isVerified, lacksAddress, error }: { isVerified: boolean; lacksAddress: boolean; error: string | null },
  ofCertificate: string | null,
): string | null {
  if (lacksAddress) return NO_ADDRESS;
  if (isVerified && error !== null && ofCertificate !== null) return `${ofCertificate} ${error}`;
  return error ?? ofCertificate;
}

function dnsStatusOf({ astray_since, record_fault }: DomainRow): DomainState['dns_status'] {
  return astray_since === null ? (record_fault ?? 'unchecked') : 'astray';
}

/** At the port at which the platform is; from http it leads to https by itself. */
function addressOf({ publicUrl: { protocol, port } }: DomainsDeps['config'], hostname: string): string {
  return `${protocol}//${hostname}${port === '' ? '' : `:${port}`}`;
}
