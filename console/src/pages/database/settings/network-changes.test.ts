import { expect, it } from 'vitest';
import { networkChanges } from './network-changes.ts';

const saved = { public_ip_enabled: true, authorized_networks: ['10.0.0.0/8', '192.0.2.1/32'] };
const networks = saved.authorized_networks.join('\n');

it('what nobody changed is not sent, whatever a colleague chose meanwhile', () => {
  expect(networkChanges(saved, { isPublic: true, networks: ` ${networks} ` })).toEqual({});
  expect(networkChanges(saved, { isPublic: true, networks: '' })).toEqual({ authorizedNetworks: [] });
});

it('a public address is taken away or given without a word about its networks', () => {
  expect(networkChanges(saved, { isPublic: false, networks })).toEqual({ publicIpEnabled: false });
  const isPrivate = { ...saved, public_ip_enabled: false };
  expect(networkChanges(isPrivate, { isPublic: true, networks })).toEqual({ publicIpEnabled: true });
  expect(networkChanges(isPrivate, { isPublic: false, networks: '' })).toEqual({});
});
