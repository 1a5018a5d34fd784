import type { Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import { createHostTools } from '../../runtime/network/host-tools.ts';
import { installationId } from '../../runtime/network/names.ts';
import { createProxies } from './proxy/proxies.ts';
import { createRedirects, redirectObstacle } from './redirects.ts';
import type { StableAddresses } from './stable-address.ts';

/** By the kernel where this machine allows it; otherwise by a small process for each port that leads elsewhere. */
export async function createStableAddresses({
  config,
  log,
}: {
  config: Pick<Config, 'home'>;
  log: Log;
}): Promise<StableAddresses> {
  const tools = createHostTools();
  const obstacle = await redirectObstacle(tools);
  if (obstacle === null) return createRedirects({ tools, id: installationId(config.home) });
  log.info({ obstacle }, 'after a failover the addresses of databases are kept by a proxy: nftables is of no use here');
  return createProxies({ config });
}
