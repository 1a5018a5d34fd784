import type { Config } from '../../config.ts';
import type { DatabaseRow, DatabaseServerRow } from '../../db/schema.ts';
import type { AccessRules, ServerSpec } from '../../engines/server.ts';
import { rangesOf, readInstanceNetwork, type InstanceNetwork } from '../../runtime/instance-network-file.ts';
import { sizeOf } from './database.ts';

/** What one of its servers is to be, as the rows say. */
export function specOf(config: Pick<Config, 'home'>, database: DatabaseRow, server: DatabaseServerRow): ServerSpec {
  return {
    id: server.id,
    databaseId: database.id,
    organisationId: database.organisation_id,
    version: database.version,
    port: server.port,
    role: server.role,
    size: sizeOf(database),
    access: accessOf(database, readInstanceNetwork(config)),
  };
}

const ANYWHERE = ['0.0.0.0/0', '::/0'];

/** The engine keeps strangers out; which instances may come is the firewall's to say. */
function accessOf(
  { public_ip_enabled, authorized_networks }: Pick<DatabaseRow, 'public_ip_enabled' | 'authorized_networks'>,
  network: InstanceNetwork,
): AccessRules {
  const ranges = rangesOf(network);
  const allowed = authorized_networks.length > 0 ? authorized_networks : ANYWHERE;
  return {
    networks: public_ip_enabled ? allowed : [],
    instanceNetworks: ranges.length > 0 ? ranges : ['127.0.0.0/8'],
    ownAddresses: ranges.length > 0 ? [network.hostAddress, ...(network.others?.ownAddresses ?? [])] : [],
  };
}
