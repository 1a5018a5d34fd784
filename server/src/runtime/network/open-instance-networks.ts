import type { Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import type { InstanceNetworks } from '../instance-networks.ts';
import { createHostTools } from './host-tools.ts';
import { createOwnNetworks } from './own-networks.ts';
import { probeNetworks } from './probe-networks.ts';
import { createSharedNetworks } from './shared-networks.ts';

export interface InstanceNetworksDeps {
  config: Pick<Config, 'home' | 'port' | 'tls' | 'publicUrl' | 'instances'>;
  log: Log;
}

/**
 * A network for each instance where this machine allows it; otherwise the machine's own for all. Changes nothing yet.
 */
export async function openInstanceNetworks({ config, log }: InstanceNetworksDeps): Promise<InstanceNetworks> {
  const tools = createHostTools();
  const abilities = await probeNetworks(tools);
  if ('reason' in abilities) return createSharedNetworks({ config, reason: abilities.reason });
  return createOwnNetworks({ config, log, tools, firewalls: abilities.firewalls });
}

/** Takes away all that an installation has in the kernel: for tests, and when the platform leaves the machine. */
export async function removeInstanceNetworks({ config, log }: InstanceNetworksDeps): Promise<void> {
  const tools = createHostTools();
  const abilities = await probeNetworks(tools);
  if ('reason' in abilities) return;
  await createOwnNetworks({ config, log, tools, firewalls: abilities.firewalls }).remove();
}
