import { isIP } from 'node:net';

export interface SourceLimit {
  port: number;
  /** So many connections of one machine; of IPv6, of one network of 64 bits, which is what a machine gets. */
  most: number;
}

export const limitTable = (id: string): string => `lilac_db_limits_${id}`;

/**
 * One table, changed in one transaction; the sets, in which the kernel counts, stay. There is one for each limit: whom the
 * kernel has begun to count it goes on to hold to the limit it began with, whatever the rules say later. Nobody is counted who comes from
 * this machine itself or from its instances: those are ours to hold, and an application is not to be kept out by
 * another one.
 */
export function limitRules(id: string, limits: readonly SourceLimit[], ownNetworks: readonly string[]): string {
  const table = limitTable(id);
  // Made before it is deleted: so it is no error when it is not there.
  if (limits.length === 0) return `table inet ${table}\ndelete table inet ${table}\n`;
  const own = ownNetworks.map((network) => `  ${familyOf(network)} saddr ${network} return\n`);
  const rules = limits.flatMap(({ port, most }) => [
    `  ct state new tcp dport ${port} add @four_${most} { ip saddr . tcp dport ct count over ${most} } reject with tcp reset\n`,
    `  ct state new tcp dport ${port} add @six_${most} { ip6 saddr & ffff:ffff:ffff:ffff:: . tcp dport ct count over ${most} } reject with tcp reset\n`,
  ]);
  const sets = [...new Set(limits.map(({ most }) => most))].map(
    (most) => set(`four_${most}`, 'ipv4_addr') + set(`six_${most}`, 'ipv6_addr'),
  );
  return (
    `table inet ${table} {\n${sets.join('')}` +
    'chain input {\n  type filter hook input priority -5; policy accept;\n}\n}\n' +
    `flush chain inet ${table} input\n` +
    `table inet ${table} {\nchain input {\n  iifname "lo" return\n${own.join('')}${rules.join('')}}\n}\n`
  );
}

const set = (name: string, address: string): string =>
  `set ${name} {\n  type ${address} . inet_service\n  size 65535\n  flags dynamic\n}\n`;

const familyOf = (network: string): string => (isIP(network.split('/')[0] ?? '') === 6 ? 'ip6' : 'ip');
