import { expect, it } from 'vitest';
import { networkChanges } from './network-changes.ts';

const shown = { public_ip_enabled: true, authorized_networks: ['10.0.0.0/8', '192.0.2.1/32'] };
const networks = shown.authorized_networks.join('\n');

it('what nobody changed is not sent, whatever a colleague chose meanwhile', () => {
  expect(networkChanges(shown, { public: 'on', networks: ` ${networks} ` })).toEqual({});
  expect(networkChanges(shown, { public: 'on', networks: '' })).toEqual({ authorizedNetworks: [] });
});

it('a public address is taken away or given without a word about its networks', () => {
  expect(networkChanges(shown, {})).toEqual({ publicIpEnabled: false });
  const isPrivate = { ...shown, public_ip_enabled: false };
  expect(networkChanges(isPrivate, { public: 'on', networks })).toEqual({ publicIpEnabled: true });
  expect(networkChanges(isPrivate, {})).toEqual({});
});
