import { isInstalled, type HostTools } from '../host-tools.ts';
import type { Firewall } from './firewall.ts';
import { createIptables } from './iptables.ts';
import { createNftables } from './nftables.ts';

export type FirewallMaker = (tools: HostTools) => Firewall;

/**
 * For what is installed here; whether it works, only trying shows. iptables comes first, since where it is there
 * others (Docker, ufw) speak through it.
 */
export function firewallMakers(): FirewallMaker[] {
  return [
    ...(isInstalled('iptables') && isInstalled('iptables-restore') ? [createIptables] : []),
    ...(isInstalled('nft') ? [createNftables] : []),
  ];
}

/** Why there is none to make. */
export const NO_FIREWALL = 'Neither nftables nor iptables is installed.';
