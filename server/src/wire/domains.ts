import type { Config } from '../config.ts';
import type { Store } from '../db/pool.ts';
import { createDnsLookup } from '../dns/create-dns-lookup.ts';
import type { DomainParts } from '../modules/domains/domains-deps.ts';
import { createPassOnProbe } from '../modules/domains/pass-on-probe.ts';
import { createPlatformAddresses } from '../modules/domains/platform-addresses.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';

/** What both the api and the worker ask whose a name is with. */
export async function openDomains(deps: {
  config: Pick<Config, 'publicUrl' | 'domains'>;
  store: Store;
  keyring: Keyring;
}): Promise<DomainParts> {
  const dns = createDnsLookup({ servers: deps.config.domains.dnsServers });
  return {
    dns,
    ownershipKey: await platformSecret(deps, 'domain-ownership'),
    platformAddresses: createPlatformAddresses({ config: deps.config, dns }),
    isPassedOn: createPassOnProbe(deps),
  };
}
