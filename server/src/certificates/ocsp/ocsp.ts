import { createHash, verify, X509Certificate } from 'node:crypto';
import {
  BasicOCSPResponse,
  CertID,
  OCSPRequest,
  OCSPResponse,
  Request,
  TBSRequest,
  type SingleResponse,
} from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509';

/** What the authority says of a certificate. */
export interface OcspVerdict {
  status: 'good' | 'revoked' | 'unknown';
  thisUpdate: Date;
  nextUpdate: Date;
}

/** A certificate and the one that signed it: nobody can be asked without. */
export interface Questioned {
  leaf: X509Certificate;
  issuer: X509Certificate;
}

/** Null: the chain has only one certificate. */
export function readQuestioned(chain: string): Questioned | null {
  const [leaf, issuer] = chain.split(/(?=-----BEGIN)/).filter((pem) => pem.startsWith('-----BEGIN'));
  return leaf && issuer ? { leaf: new X509Certificate(leaf), issuer: new X509Certificate(issuer) } : null;
}

/** Where to ask; null: the authority offers nothing of the kind. */
export function responderOf({ infoAccess }: X509Certificate): string | null {
  return /^OCSP - URI:(http\S+)$/m.exec(infoAccess ?? '')?.[1] ?? null;
}

const SHA1 = '1.3.14.3.2.26';

/** RFC 6960; SHA-1 is only a name here, and the only one that every responder knows. */
export function buildRequest(questioned: Questioned): Buffer {
  const request = new OCSPRequest({
    tbsRequest: new TBSRequest({ requestList: [new Request({ reqCert: idOf(questioned) })] }),
  });
  return Buffer.from(AsnConvert.serialize(request));
}

function idOf({ leaf, issuer }: Questioned): CertID {
  const { subject, subjectPublicKeyInfo } = AsnConvert.parse(issuer.raw, Certificate).tbsCertificate;
  const { serialNumber } = AsnConvert.parse(leaf.raw, Certificate).tbsCertificate;
  return new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: SHA1, parameters: null }),
    issuerNameHash: new OctetString(sha1(AsnConvert.serialize(subject))),
    issuerKeyHash: new OctetString(sha1(subjectPublicKeyInfo.subjectPublicKey)),
    serialNumber,
  });
}

const sha1 = (bytes: ArrayBuffer): Buffer => createHash('sha1').update(Buffer.from(bytes)).digest();

/** How long an answer is good that does not say when the next comes. */
const SILENT_LIFE_MS = 24 * 60 * 60_000;
/** Clocks differ. */
const SKEW_MS = 5 * 60_000;

/** Throws unless it is an answer to this question, signed by whom it should be, and of now. */
export function readResponse(bytes: Buffer, questioned: Questioned, now: Date): OcspVerdict {
  const { responseBytes } = AsnConvert.parse(bytes, OCSPResponse);
  if (!responseBytes) throw new Error('the responder gives no answer');
  const basic = AsnConvert.parse(responseBytes.response.buffer, BasicOCSPResponse);
  if (!isSigned(basic, questioned.issuer)) throw new Error('the answer is not signed by the authority');
  const wanted = idOf(questioned);
  const single = basic.tbsResponseData.responses.find(({ certID }) => isSame(certID, wanted));
  if (!single) throw new Error('the answer is about another certificate');
  const { thisUpdate, nextUpdate = new Date(thisUpdate.getTime() + SILENT_LIFE_MS) } = single;
  if (thisUpdate.getTime() > now.getTime() + SKEW_MS || nextUpdate <= now) throw new Error('the answer is not of now');
  return { status: statusOf(single), thisUpdate, nextUpdate };
}

function statusOf({ certStatus }: SingleResponse): OcspVerdict['status'] {
  if (certStatus.revoked) return 'revoked';
  return certStatus.good === undefined ? 'unknown' : 'good';
}

function isSame(one: CertID, other: CertID): boolean {
  return one.hashAlgorithm.algorithm === SHA1 && bytesOf(one).equals(bytesOf(other));
}

/** Two are of fixed length, so there is only one way to read them one after another. */
const bytesOf = ({ issuerNameHash, issuerKeyHash, serialNumber }: CertID): Buffer =>
  Buffer.concat([issuerNameHash.buffer, issuerKeyHash.buffer, serialNumber].map((part) => Buffer.from(part)));

/** What is weaker is not believed. */
const digests: Record<string, string> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
};

/** By the authority itself, or by one that it has appointed. */
function isSigned(basic: BasicOCSPResponse, issuer: X509Certificate): boolean {
  const digest = digests[basic.signatureAlgorithm.algorithm];
  if (!digest || !basic.tbsResponseDataRaw) return false;
  const [data, signature] = [Buffer.from(basic.tbsResponseDataRaw), Buffer.from(basic.signature)];
  const appointed = (basic.certs ?? [])
    .map((certificate) => new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))))
    .filter((certificate) => isAppointed(certificate, issuer));
  return [issuer, ...appointed].some(({ publicKey }) => verify(digest, data, publicKey, signature));
}

const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';

function isAppointed(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return (
    certificate.checkIssued(issuer) &&
    certificate.verify(issuer.publicKey) &&
    (certificate.keyUsage ?? []).includes(OCSP_SIGNING)
  );
}
