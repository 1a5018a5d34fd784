import { X509Certificate } from 'node:crypto';
import { addressBytes } from './address-bytes.ts';
import { numbered, objectId, sequence } from './der.ts';
import { extension } from './extension.ts';

/** What an authority may sign for (RFC 5280, 4.2.1.10): a name stands for itself and all below it. */
export interface PermittedNames {
  names: readonly string[];
  /** With a length for a range: 127.0.0.0/8. */
  addresses: readonly string[];
}

const NAME_CONSTRAINTS = '2.5.29.30';

/**
 * Whoever trusts the authority trusts it for these and nothing else; who does not understand that does not trust it.
 */
export function nameConstraints(permitted: PermittedNames): Buffer {
  return extension(NAME_CONSTRAINTS, sequence(numbered(0, Buffer.concat(subtreesOf(permitted)))), { isCritical: true });
}

/** Whether the certificate is bound to names, and all of these are among them. */
export function isBoundTo(certificate: string, permitted: PermittedNames): boolean {
  const { raw } = new X509Certificate(certificate);
  const from = raw.indexOf(objectId(NAME_CONSTRAINTS));
  return from >= 0 && subtreesOf(permitted).every((subtree) => raw.includes(subtree, from));
}

function subtreesOf({ names, addresses }: PermittedNames): Buffer[] {
  return [
    ...names.map((name) => sequence(numbered(2, Buffer.from(name, 'latin1'), 'plain'))),
    ...addresses.map((range) => sequence(numbered(7, rangeBytes(range), 'plain'))),
  ];
}

/** The address and its mask. */
function rangeBytes(range: string): Buffer {
  const [address = '', length] = range.split('/');
  const bytes = addressBytes(address);
  if (bytes === null) throw new Error(`${range} is no range of addresses.`);
  const bitCount = length === undefined ? bytes.length * 8 : Number(length);
  const mask = bytes.map((_, at) => 0xff & ~(0xff >> Math.min(8, Math.max(0, bitCount - at * 8))));
  return Buffer.concat([bytes, mask]);
}
