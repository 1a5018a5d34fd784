import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { addressBytes } from './address-bytes.ts';
import { nameConstraints, type PermittedNames } from './permitted-names.ts';
import {
  alternativeNames,
  forAuthority,
  forServer,
  issuerKey,
  nameOf,
  signCertificate,
  subjectKey,
} from './sign-certificate.ts';

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
/** Browsers refuse long ones even of authorities that a person has added. */
const LEAF_DAYS = 60;
/** Clocks differ: certificates begin so much before they are made. */
export const LEEWAY_MS = DAY_MS;

const ORGANISATION = 'Lilac';
const NAME = 'Lilac local authority';

/** PEM. */
export interface NewLocalAuthority {
  certificate: string;
  privateKey: string;
  notAfter: Date;
}

/** Its name has something of its own, since browsers keep those of several installations apart by name. */
export function createLocalAuthority(now: Date, permitted: PermittedNames): NewLocalAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = nameOf(ORGANISATION, `${NAME} ${randomBytes(3).toString('hex')}`);
  const notAfter = new Date(now.getTime() + AUTHORITY_DAYS * DAY_MS);
  const certificate = signCertificate({
    subject: name,
    issuer: name,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    notBefore: new Date(now.getTime() - LEEWAY_MS),
    notAfter,
    extensions: [...forAuthority, nameConstraints(permitted), subjectKey(keys.publicKey), issuerKey(keys.publicKey)],
  });
  return { certificate, privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), notAfter };
}

/** Signs for names that no public authority would. */
export interface LocalAuthority {
  /** PEM. */
  certificate: string;
  /** For these names and addresses, of which there is at least one. */
  sign(names: readonly string[], publicKey: KeyObject, now: Date): SignedLeaf;
}

export interface SignedLeaf {
  /** PEM: the certificate, and that of the authority. */
  chain: string;
  notAfter: Date;
}

export function openLocalAuthority({
  certificate,
  privateKey,
}: Pick<NewLocalAuthority, 'certificate' | 'privateKey'>): LocalAuthority {
  const signingKey = createPrivateKey(privateKey);
  const [authorityKey, issuer] = [createPublicKey(signingKey), issuerOf(certificate)];
  return {
    certificate,
    sign: (names, publicKey, now) => {
      const addresses = names.map(addressBytes);
      const notAfter = new Date(now.getTime() + LEAF_DAYS * DAY_MS);
      const leaf = signCertificate({
        subject: nameOf(ORGANISATION),
        issuer,
        publicKey,
        signingKey,
        notBefore: new Date(now.getTime() - LEEWAY_MS),
        notAfter,
        extensions: [
          ...forServer,
          subjectKey(publicKey),
          issuerKey(authorityKey),
          alternativeNames(
            names.filter((_, at) => addresses[at] === null),
            addresses.filter((bytes) => bytes !== null),
          ),
        ],
      });
      return { chain: leaf + certificate, notAfter };
    },
  };
}

/** As it was written by `createLocalAuthority`. */
function issuerOf(certificate: string): Buffer {
  const commonName = /^CN=(.+)$/m.exec(new X509Certificate(certificate).subject)?.[1];
  return nameOf(ORGANISATION, commonName);
}
