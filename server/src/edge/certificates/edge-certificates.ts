import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { RouteTable } from '../routes/route-table.ts';
import { CertificateContexts } from './certificate-contexts.ts';
import { createCertificateFeed, type CertificateFeed } from './certificate-feed.ts';
import { CertificateTable } from './certificate-table.ts';
import { createSecureNames } from './create-secure-names.ts';
import { LocalLeaves } from './local-leaves.ts';
import type { SecureNames } from './secure-names.ts';
import { createTicketKeys } from './ticket-keys.ts';

export interface EdgeCertificatesOptions {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'domains'>;
  store: Store;
  keyring: Keyring;
  routes: RouteTable;
  snapshotPath: string;
  clock: Clock;
  log: Log;
}

export interface EdgeCertificates {
  names: SecureNames;
  /** Is to be among the followers of the route feed, by whose connection it hears of changes. */
  feed: CertificateFeed;
}

/** All that https needs at an edge, in memory, and what keeps it as the store has it. */
export function createEdgeCertificates(options: EdgeCertificatesOptions): EdgeCertificates {
  const { config, store, keyring, routes, snapshotPath, clock, log } = options;
  const [table, tickets] = [new CertificateTable(), createTicketKeys(clock)];
  const contexts = new CertificateContexts({ keyring, tickets, log });
  const leaves = new LocalLeaves({ keyring, tickets, clock });
  return {
    names: createSecureNames({ config, routes, certificates: table, contexts, leaves, clock }),
    feed: createCertificateFeed({ config, store, keyring, table, leaves, tickets, snapshotPath, clock, log }),
  };
}
