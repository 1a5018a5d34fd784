import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { networkContains } from '../networks.ts';
import { mayCome, rulesOf } from '../access-rules.ts';
import type { AccessRules } from '../server.ts';
import { accountsFor, hostOf, networkOf, type Admission, type OwnerAccount } from './account-hosts.ts';

const none: AccessRules = { networks: [], instanceNetworks: [], ownAddresses: [] };

describe('the hosts of accounts', () => {
  it.each([
    ['203.0.113.0/24', '203.000.113.000/255.255.255.000'],
    ['203.0.113.7/32', '203.000.113.007/255.255.255.255'],
    ['10.128.0.0/9', '010.128.000.000/255.128.000.000'],
    ['0.0.0.0/0', '%.%'],
    ['::/0', '%:%'],
    ['::1/128', '::1'],
    ['2001:db8::/32', '2001:db8:%'],
    ['2001:DB8:0:7::/64', '2001:db8:0:7:%'],
  ])('%s is %s, and back', (network, host) => {
    expect(hostOf(network)).toBe(host);
    expect(networkOf(host)).toBe(network.toLowerCase());
  });

  it.each(['2001:db8::/48', '2001:db8::/33', '2001:0:0:5::/64', '::ffff:1.2.3.4/128', '2000::/3'])(
    '%s is refused, since its addresses cannot be told from others by their text',
    (network) => {
      expect(() => hostOf(network)).toThrow(/cannot be limited/);
    },
  );

  it('anywhere is one account', () => {
    expect(accountsFor(rulesOf({ ...none, networks: ['0.0.0.0/0', '::/0'] }))).toContainEqual({
      host: '%',
      admission: 'encrypted',
    });
  });

  it('an account that is only kept lets nobody in', () => {
    const rules = rulesOf({ ...none, networks: ['198.51.100.0/24'] });
    expect(accountsFor(rules, ['%', '203.000.113.000/255.255.255.000'])).toEqual([
      { host: '198.051.100.000/255.255.255.000', admission: 'encrypted' },
      { host: '%', admission: 'nobody' },
      { host: '203.000.113.000/255.255.255.000', admission: 'nobody' },
    ]);
  });
});

const cases: { access: AccessRules; kept: string[] }[] = [
  { access: none, kept: [] },
  { access: { ...none, networks: ['0.0.0.0/0', '::/0'] }, kept: ['010.000.000.000/255.000.000.000'] },
  {
    access: {
      networks: ['0.0.0.0/0', '10.213.4.0/24'],
      instanceNetworks: ['10.213.0.0/16'],
      ownAddresses: ['10.213.0.1'],
    },
    kept: ['%', '%:%'],
  },
  {
    access: { networks: ['10.0.0.0/8'], instanceNetworks: ['10.213.0.0/16'], ownAddresses: ['10.213.0.1'] },
    kept: ['%.%', '008.000.000.000/248.000.000.000'],
  },
  {
    access: { networks: ['192.0.2.100/31'], instanceNetworks: ['127.0.0.0/8'], ownAddresses: ['127.0.0.1'] },
    kept: ['192.000.002.096/255.255.255.224', '%'],
  },
  { access: { ...none, networks: ['127.0.0.1/32', '::1/128', '2001:db8:5::/48'] }, kept: ['2001:db8:%'] },
];

const addresses = [
  '127.0.0.1',
  '127.0.0.2',
  '10.213.0.1',
  '10.213.0.2',
  '10.213.4.9',
  '10.1.2.3',
  '9.9.9.9',
  '192.0.2.96',
  '192.0.2.100',
  '192.0.2.101',
  '192.0.2.102',
  '::1',
  '2001:db8:5::1',
  '2001:db8:6::1',
  '2a00::1',
];

describe('the accounts together', () => {
  it.each(cases)('let in whom the rules let in: $access, with $kept', ({ access, kept }) => {
    const rules = rulesOf(access);
    const accounts = accountsFor(rules, kept);
    for (const address of addresses) {
      const plainly = mayCome(rules, address, false);
      const encrypted = mayCome(rules, address, true);
      const expected: Admission = plainly ? 'anyhow' : encrypted ? 'encrypted' : 'nobody';
      expect(`${address} ${admissionByServer(accounts, address)}`).toBe(`${address} ${expected}`);
    }
  });
});

/** Which account the server takes: those without wildcards first, the greater text first; then the longest pattern. */
function admissionByServer(accounts: readonly OwnerAccount[], address: string): Admission {
  const inOrder = accounts.toSorted(
    (left, right) =>
      isPattern(left) - isPattern(right) ||
      (isPattern(left) === 1 ? right.host.length - left.host.length : right.host < left.host ? -1 : 1),
  );
  return inOrder.find(({ host }) => fits(host, address))?.admission ?? 'nobody';
}

const isPattern = ({ host }: OwnerAccount): number => Number(host.includes('%'));

function fits(host: string, address: string): boolean {
  if (host === '%') return true;
  if (host.includes('/')) return isIP(address) === 4 && networkContains(networkOf(host) ?? '', address);
  const pattern = host.replaceAll('.', String.raw`\.`).replaceAll('%', '.*');
  return new RegExp(`^${pattern}$`).test(address);
}
