import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import type { DnsLookup } from '../../dns/dns-lookup.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PassOnProbe } from './pass-on-probe.ts';

/** What it takes to tell whose a name is. */
export interface DomainParts {
  dns: DnsLookup;
  /** Signs what people write into their DNS. */
  ownershipKey: Buffer;
  /** By which the world reaches this platform; none where they are not known. */
  platformAddresses: () => Promise<readonly string[]>;
  isPassedOn: PassOnProbe;
}

export interface DomainsDeps extends DomainParts {
  store: Pick<Store, 'db'>;
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'databases' | 'tls'>;
  clock: Clock;
}
