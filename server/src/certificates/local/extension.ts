import { objectId, octets, sequence, yes } from './der.ts';

/** A part of a certificate. Who does not know a critical one refuses the certificate. */
export function extension(id: string, value: Buffer, { isCritical = false } = {}): Buffer {
  return sequence(objectId(id), ...(isCritical ? [yes] : []), octets(value));
}
