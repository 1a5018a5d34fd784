import { asNetwork, bitsOf, isLoopback, loopbackPartOf, networkContains } from './networks.ts';
import type { AccessRules } from './server.ts';

/** The first rule that fits a connection decides; where none fits, it is refused. */
export interface AccessRule {
  network: string;
  /** Fits encrypted connections only. */
  encrypted: boolean;
  admits: boolean;
}

export function rulesOf({ networks, instanceNetworks, ownAddresses }: AccessRules): AccessRule[] {
  return [
    ...ownAddresses.flatMap((address) => ownRules(address, networks)),
    ...instanceNetworks.map((network) => ({ network: asNetwork(network), encrypted: false, admits: true })),
    ...loopbackPartOf(networks).map((network) => ({ network, encrypted: false, admits: true })),
    ...networks
      .map(asNetwork)
      .toSorted((left, right) => bitsOf(right) - bitsOf(left))
      .map((network) => ({ network, encrypted: true, admits: true })),
  ];
}

/** This machine's own addresses lie among those of instances, and are none. */
function ownRules(address: string, networks: readonly string[]): AccessRule[] {
  const network = asNetwork(address);
  const refused = { network, encrypted: false, admits: false };
  if (!networks.some((each) => networkContains(each, address))) return [refused];
  return isLoopback(address)
    ? [{ network, encrypted: false, admits: true }]
    : [{ network, encrypted: true, admits: true }, refused];
}

export function mayCome(rules: readonly AccessRule[], address: string, isEncrypted: boolean): boolean {
  const fits = (rule: AccessRule) => (isEncrypted || !rule.encrypted) && networkContains(rule.network, address);
  return rules.find(fits)?.admits ?? false;
}
