import { describe, expect, it } from 'vitest';
import { holdsAddress, toBlockList } from '../../../lib/address-ranges.ts';
import { METADATA_ADDRESSES } from '../../network/testing/metadata-addresses.ts';
import { chooseTarget } from './firewall.ts';
import { firewallRules } from './firewall-rules.ts';
import { readGateway } from './machine-gateway.ts';

const rules = {
  port: 30_001,
  gateway: '172.17.0.1',
  nameServers: ['10.0.0.2', 'fe80::1'],
  cluster: ['10.0.5.0/24', '10.0.5.7', '8.8.4.0/24'],
  edges: { addresses: ['203.0.113.1', '10.0.5.7'], ports: [80, 443] },
  host: '10.0.5.1',
  doors: [15_000],
};

const open = (port: number) => ({ port, isLocal: false });

describe('the firewall of a task', () => {
  it('lets in the cluster and its own machine, and nobody else', () => {
    const text = firewallRules(rules);
    expect(text).toContain(
      'ip saddr { 10.0.5.0/24, 8.8.4.0/24, 172.17.0.1 } ip ttl >= 52 tcp dport { 47990, 30001 } accept',
    );
    expect(text).toMatch(/hook input [^\n]*policy drop/);
  });

  it('is set by a leader of an earlier version, which says nothing of edges', () => {
    const { edges: _edges, ...earlier } = rules;
    expect(firewallRules(earlier)).toContain('ip daddr { 10.0.5.1 } tcp dport { 15000 } accept');
  });

  it('lets nobody in whose packets are those of programs, by whatever address they come', () => {
    const [, given = ''] = /skuid != 0 ip ttl set (\d+)/.exec(firewallRules(rules)) ?? [];
    const [, wanted = ''] = /ip ttl >= (\d+)/.exec(firewallRules(rules)) ?? [];
    expect(Number(given)).toBeGreaterThan(32);
    expect(Number(wanted)).toBeGreaterThan(Number(given));
  });

  it('lets out to name servers, doors and edges before it refuses private networks, the cluster and edges’ other ports', () => {
    const text = firewallRules(rules);
    const order = [
      'th dport 53',
      'ip daddr { 10.0.5.1, 203.0.113.1, 10.0.5.7 } tcp dport { 15000 }',
      'ip daddr { 203.0.113.1, 10.0.5.7 } tcp dport { 80, 443 }',
      '8.8.4.0/24, 168.63.129.16, 203.0.113.1 } meta l4proto tcp reject',
      'meta nfproto ipv4 accept',
    ];
    const places = order.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('refuses every address of cloud metadata, whatever is asked of it', () => {
    const refusing = [...firewallRules(rules).matchAll(/ip daddr \{ (.+) \}(?: meta l4proto tcp)? reject/g)];
    expect(refusing).toHaveLength(2);
    for (const [, networks = ''] of refusing) {
      const list = toBlockList(networks.split(', '));
      expect(METADATA_ADDRESSES.filter((address) => !holdsAddress(list, address))).toEqual([]);
    }
  });

  it('has no rule without an address', () => {
    const edges = { addresses: [], ports: [80] };
    const text = firewallRules({ ...rules, gateway: null, nameServers: [], cluster: [], edges, doors: [] });
    expect(text).not.toMatch(/\{ *\}(?!\n)|dport 53|saddr/);
  });

  it('finds its machine as the kernel writes it down', () => {
    const header = 'Iface\tDestination\tGateway \tFlags';
    expect(readGateway(`${header}\neth0\t00000000\t010011AC\t0003\neth0\t000011AC\t00000000\t0001\n`)).toBe(
      '172.17.0.1',
    );
    expect(readGateway(`${header}\neth0\t000011AC\t00000000\t0001\n`)).toBeNull();
  });

  it('leads to the only port that a program listens on, and else to the one that it was told', () => {
    expect(chooseTarget([], 1)).toBe(1);
    expect(chooseTarget([open(2), { port: 3, isLocal: true }], 1)).toBe(2);
    expect(chooseTarget([open(1), open(2)], 1)).toBe(1);
    expect(chooseTarget([open(2), open(3)], 1)).toBe(1);
  });
});
