import { createHash, generateKeyPair, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { promisify } from 'node:util';
import {
  bits,
  boolean,
  explicit,
  identifier,
  implicit,
  integer,
  octets,
  sequence,
  set,
  text,
  time,
  type Der,
} from './der.ts';

const VALID_YEARS = 10;
/** Clients whose clocks are a little behind trust it from the first moment. */
const BACKDATED_MS = 24 * 3_600_000;
const MOST_NAME_CHARACTERS = 64;

const ids = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  subjectAlternativeName: '2.5.29.17',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
} as const;

/** A certificate for these names and addresses, signed by its own key (RFC 5280, ECDSA with P-256), both as PEM. */
export async function makeCertificate(names: readonly string[]): Promise<{ certificate: string; key: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const content = describe(names, publicKey);
  const signature = sign('sha256', content, privateKey);
  const certificate = sequence(content, algorithm, bits(signature));
  return { certificate: toPem(certificate), key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}

const algorithm = sequence(identifier(ids.ecdsaWithSha256));

function describe(names: readonly string[], publicKey: KeyObject): Der {
  const name = sequence(set(sequence(identifier(ids.commonName), text(commonNameOf(names)))));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const from = new Date(Date.now() - BACKDATED_MS);
  const to = new Date(from);
  to.setUTCFullYear(to.getUTCFullYear() + VALID_YEARS);
  return sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    algorithm,
    name,
    sequence(time(from), time(to)),
    name,
    spki,
    explicit(3, sequence(...extensionsFor(names, spki))),
  );
}

const commonNameOf = (names: readonly string[]): string =>
  names.find((name) => name.length <= MOST_NAME_CHARACTERS) ?? 'lilac';

/** The first bit and the sixth. */
const SIGNS_AND_CERTIFIES = Buffer.from([0b1000_0100]);

/** Who is told to trust it trusts it as an authority too; it has no others below it. */
function extensionsFor(names: readonly string[], spki: Buffer): Der[] {
  const none = integer(Buffer.from([0]));
  const purposes = sequence(identifier(ids.serverAuthentication));
  const keyId = createHash('sha256').update(spki).digest().subarray(0, 20);
  return [
    sequence(identifier(ids.basicConstraints), boolean(true), octets(sequence(boolean(true), none))),
    sequence(identifier(ids.keyUsage), boolean(true), octets(bits(SIGNS_AND_CERTIFIES, 2))),
    sequence(identifier(ids.subjectKeyIdentifier), octets(octets(keyId))),
    sequence(identifier(ids.extendedKeyUsage), octets(purposes)),
    sequence(identifier(ids.subjectAlternativeName), octets(sequence(...names.map(alternativeName)))),
  ];
}

const DNS_NAME = 2;
const ADDRESS = 7;

function alternativeName(name: string): Der {
  if (isIPv4(name)) return implicit(ADDRESS, Buffer.from(name.split('.').map(Number)));
  return isIPv6(name) ? implicit(ADDRESS, bytesOfIPv6(name)) : implicit(DNS_NAME, Buffer.from(name));
}

/** A URL writes an address in one way only: hexadecimal groups, the longest run of empty ones left out. */
function bytesOfIPv6(address: string): Buffer {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function toPem(certificate: Der): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
