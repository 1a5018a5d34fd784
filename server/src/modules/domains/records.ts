import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import { isIPv6 } from 'node:net';
import { isWildcard } from './hostname.ts';
import type { OwnershipText } from './ownership.ts';

export type DnsRecord = OutputOf<Endpoints['applications.check-domain']>['records'][number];

/** A name as its owner wants it to be reached. */
export interface WantedName {
  hostname: string;
  /** The name is the apex of its zone, which cannot have a CNAME record. */
  isApex: boolean;
  /** The environment's generated name; null where that is known on this machine only. */
  target: string | null;
  addresses: readonly string[];
  text: OwnershipText;
  /** What an address or a CNAME record proves here, besides leading here. */
  proofs: Proofs;
  doubts: Doubts;
}

export interface Proofs {
  byAddress: boolean;
  byAlias: boolean;
}

/** Why such a record may prove nothing. */
export interface Doubts {
  /** Another organisation had the name, or one near it. */
  wereThere: boolean;
  /** Another one has, or had, some name of the same domain. */
  areAround: boolean;
  /** Another one had the environment's generated name before. */
  isFormerTarget: boolean;
  isNearPlatform: boolean;
}

/** What to create where the DNS of the name is kept. */
export function recordsFor(wanted: WantedName): DnsRecord[] {
  const leading = leadingRecords(wanted);
  const isProof = leading[0]?.type === 'CNAME' ? wanted.proofs.byAlias : wanted.proofs.byAddress;
  const needsText = isWildcard(wanted.hostname) || !isProof;
  return needsText ? [...leading, { type: 'TXT', ...wanted.text }] : leading;
}

/** Those that bring visitors here. */
export function leadingRecords({ hostname: name, isApex, target, addresses }: WantedName): DnsRecord[] {
  const byAddress = addresses.map((value): DnsRecord => ({ type: isIPv6(value) ? 'AAAA' : 'A', name, value }));
  // Where no address is known a CNAME record is named for an apex too: many DNS providers make addresses of it.
  if (target === null || (isApex && byAddress.length > 0)) return byAddress;
  return [{ type: 'CNAME', name, value: target }];
}
