import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { EnvironmentRow } from '../../db/schema.ts';
import { certificateOf } from '../certificates/certificate-store.ts';
import { findDomainOf } from './domain-store.ts';
import type { DomainsDeps } from './domains-deps.ts';
import { NO_ADDRESS } from './judge-dns.ts';
import { leadingRecords, recordsFor } from './records.ts';
import { wantedName } from './wanted-name.ts';

export type DomainState = OutputOf<Endpoints['applications.check-domain']>;

const NONE: DomainState = {
  domain: null,
  dns_verified: false,
  certificate_status: 'none',
  records: [],
  error: null,
};

/** How far the domain of an environment is, as it was last seen. */
export async function readState(
  deps: DomainsDeps,
  { id, subdomain }: Pick<EnvironmentRow, 'id' | 'subdomain'>,
): Promise<DomainState> {
  const { db } = deps.store;
  const domain = await findDomainOf(db, id);
  if (!domain) return NONE;
  const [certificate, addresses] = await Promise.all([certificateOf(db, domain.id), deps.platformAddresses()]);
  const wanted = await wantedName(deps, db, { domain, environment: { subdomain }, addresses });
  const lacksAddress = leadingRecords(wanted).length === 0 && !domain.is_pointing;
  return {
    domain: domain.hostname,
    dns_verified: domain.is_pointing && domain.verified_at !== null,
    certificate_status: certificate?.status ?? 'provisioning',
    records: recordsFor(wanted),
    error: (lacksAddress ? NO_ADDRESS : domain.error) ?? certificate?.error ?? null,
  };
}
