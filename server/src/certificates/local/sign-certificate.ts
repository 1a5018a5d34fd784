import { createHash, randomBytes, sign, type KeyObject } from 'node:crypto';
import { bits, integer, numbered, objectId, octets, sequence, set, text, time, yes } from './der.ts';
import { extension } from './extension.ts';

export interface CertificatePlan {
  subject: Buffer;
  issuer: Buffer;
  /** Whose certificate it is. P-256. */
  publicKey: KeyObject;
  /** The issuer's. P-256. */
  signingKey: KeyObject;
  notBefore: Date;
  notAfter: Date;
  extensions: readonly Buffer[];
}

/** PEM, signed with ECDSA over SHA-256. */
export function signCertificate(plan: CertificatePlan): string {
  const algorithm = sequence(objectId('1.2.840.10045.4.3.2'));
  const content = sequence(
    numbered(0, integer(Buffer.from([2]))),
    integer(newSerial()),
    algorithm,
    plan.issuer,
    sequence(time(plan.notBefore), time(plan.notAfter)),
    plan.subject,
    plan.publicKey.export({ type: 'spki', format: 'der' }),
    numbered(3, sequence(...plan.extensions)),
  );
  return pemOf(sequence(content, algorithm, bits(sign('sha256', content, plan.signingKey))));
}

/** Positive, and of a fixed length. */
function newSerial(): Buffer {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  return serial;
}

function pemOf(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

export function nameOf(organisation: string, commonName?: string): Buffer {
  const parts = [partOf('2.5.4.10', organisation)];
  if (commonName !== undefined) parts.push(partOf('2.5.4.3', commonName));
  return sequence(...parts);
}

const partOf = (type: string, value: string): Buffer => set(sequence(objectId(type), text(value)));

/** It may sign certificates, but none that may sign others. */
export const forAuthority: readonly Buffer[] = [
  extension('2.5.29.19', sequence(yes, integer(Buffer.from([0]))), { isCritical: true }),
  // keyCertSign and cRLSign.
  extension('2.5.29.15', bits(Buffer.from([0b0000_0110]), 1), { isCritical: true }),
];

/** It is a server's, and signs nothing but handshakes. */
export const forServer: readonly Buffer[] = [
  extension('2.5.29.19', sequence(), { isCritical: true }),
  extension('2.5.29.15', bits(Buffer.from([0b1000_0000]), 7), { isCritical: true }),
  extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'))),
];

export function subjectKey(key: KeyObject): Buffer {
  return extension('2.5.29.14', octets(keyIdOf(key)));
}

export function issuerKey(key: KeyObject): Buffer {
  return extension('2.5.29.35', sequence(numbered(0, keyIdOf(key), 'plain')));
}

/** The bytes of a P-256 point are the last 65. */
function keyIdOf(key: KeyObject): Buffer {
  const point = key.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha256').update(point).digest().subarray(0, 20);
}

/** The names and addresses that it is for. An address is given as its bytes. */
export function alternativeNames(names: readonly string[], addresses: readonly Buffer[]): Buffer {
  const all = [
    ...names.map((name) => numbered(2, Buffer.from(name, 'latin1'), 'plain')),
    ...addresses.map((bytes) => numbered(7, bytes, 'plain')),
  ];
  return extension('2.5.29.17', sequence(...all));
}
