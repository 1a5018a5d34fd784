import { join } from 'node:path';
import { readConfig } from '../../../config.ts';
import { silentLog } from '../../../lib/log.ts';
import { createIptables } from '../firewall/iptables.ts';
import { createNftables } from '../firewall/nftables.ts';
import { createHostTools } from '../host-tools.ts';
import { createOwnNetworks } from '../own-networks.ts';

/** Run on its own, to be killed: takes three places and gives one back, again and again. */
const { home, enter, firewall, folder } = JSON.parse(process.argv[2] ?? '') as {
  home: string;
  enter: string[];
  firewall: string;
  folder: string;
};
const tools = createHostTools(enter);
const networks = createOwnNetworks({
  config: readConfig({ LILAC_HOME: home }),
  log: silentLog,
  tools,
  firewalls: [firewall === 'iptables' ? createIptables(tools) : createNftables(tools)],
  registry: join(folder, 'registry'),
  readyCount: 2,
  restingCount: 1,
  restMs: 0,
});
console.log('begins');
for (let round = 0; ; round += 1) {
  const leases = await Promise.all([0, 1, 2].map((number) => networks.lease(`i${process.pid}_${round}_${number}`, 80)));
  if (leases[0]) await networks.release(leases[0]);
}
