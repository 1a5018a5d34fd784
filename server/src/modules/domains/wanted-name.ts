import type { Db, Tx } from '../../db/pool.ts';
import type { DomainRow, EnvironmentRow } from '../../db/schema.ts';
import { findRivals, hadOthers } from './domain-store.ts';
import type { DomainsDeps } from './domains-deps.ts';
import { isNearPlatform, isWildcard } from './hostname.ts';
import { ownershipText } from './ownership.ts';
import type { WantedName } from './records.ts';

/** The name that CNAME records lead to. Null: nobody but this machine knows it. */
export function targetOf({ appsDomain }: { appsDomain: string }, subdomain: string): string | null {
  return appsDomain === 'localhost' || appsDomain.endsWith('.localhost') ? null : `${subdomain}.${appsDomain}`;
}

/** What is to be created for a domain, by what is known of it and of its neighbours. */
export async function wantedName(
  deps: Pick<DomainsDeps, 'config' | 'ownershipKey'>,
  db: Db | Tx,
  of: {
    domain: Pick<DomainRow, 'hostname' | 'organisation_id' | 'is_apex'>;
    environment: Pick<EnvironmentRow, 'subdomain'>;
    addresses: readonly string[];
  },
): Promise<WantedName> {
  const { hostname, organisation_id: organisationId, is_apex: isApex } = of.domain;
  const { subdomain } = of.environment;
  const [{ wereThere, areAround }, isFormerTarget] = await Promise.all([
    findRivals(db, { organisationId, hostname }),
    hadOthers(db, { subdomain, organisationId }),
  ]);
  const isNear = isNearPlatform(deps.config, hostname);
  const isAlone = !areAround && !isNear;
  return {
    hostname,
    isApex,
    target: targetOf(deps.config, subdomain),
    addresses: of.addresses,
    text: ownershipText(deps.ownershipKey, { organisationId, hostname }),
    proofs: { byAlias: !wereThere && !isFormerTarget, byAddress: isAlone && !isWildcard(hostname) },
    doubts: { wereThere, areAround, isFormerTarget, isNearPlatform: isNear },
  };
}
