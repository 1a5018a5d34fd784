import { createHmac } from 'node:crypto';
import { Fault } from '../../lib/fault.ts';
import { isSameText } from '../../lib/same-text.ts';
import { assertKey } from '../object-key.ts';
import type { GetTerms, PutTerms } from '../object-store.ts';

/** What the platform's host keeps apart for objects; the edge passes it to the object server. */
export const OBJECTS_PATH = '/objects/';

export interface SignedPut {
  key: string;
  terms: PutTerms;
}

export interface SignedGet {
  key: string;
  terms: GetTerms;
}

export function signPut(signingKey: Buffer, publicUrl: URL, { key, terms }: SignedPut): string {
  const size = 'exact' in terms.size ? ['exact', String(terms.size.exact)] : ['max', String(terms.size.max)];
  return signAddress(signingKey, publicUrl, { method: 'PUT', key, said: [...commonTerms(terms), size] });
}

export function signGet(signingKey: Buffer, publicUrl: URL, { key, terms }: SignedGet): string {
  const said = [...commonTerms(terms), ['fileName', terms.fileName]];
  return signAddress(signingKey, publicUrl, { method: 'GET', key, said });
}

/** Refuses what we did not sign. Whether it is still good is for the caller to say. */
export function readSignedPut(signingKey: Buffer, target: string): SignedPut {
  const { key, expiresAt, contentType, last } = readAddress(signingKey, 'PUT', target);
  const [kind, size] = last;
  return {
    key,
    terms: { contentType, expiresAt, size: kind === 'exact' ? { exact: Number(size) } : { max: Number(size) } },
  };
}

/** The same for what was signed to be read. */
export function readSignedGet(signingKey: Buffer, target: string): SignedGet {
  const { key, expiresAt, contentType, last } = readAddress(signingKey, 'GET', target);
  return { key, terms: { contentType, expiresAt, fileName: last[1] } };
}

type Pairs = readonly (readonly string[])[];

const commonTerms = ({ contentType, expiresAt }: { contentType: string; expiresAt: Date }): Pairs => [
  ['contentType', contentType],
  ['expires', String(expiresAt.getTime())],
];

/** An address that says what it is good for, and a signature over all of it. */
function signAddress(
  signingKey: Buffer,
  publicUrl: URL,
  { method, key, said }: { method: string; key: string; said: Pairs },
): string {
  assertKey(key);
  const address = new URL(OBJECTS_PATH + key, publicUrl);
  const signature = sign(signingKey, { method, path: address.pathname, said });
  address.search = new URLSearchParams(
    [...said, ['signature', signature]].map(([name, value]) => [name!, value!]),
  ).toString();
  return address.href;
}

function readAddress(signingKey: Buffer, method: string, target: string) {
  const path = target.split('?', 1)[0]!;
  const said = [...new URLSearchParams(target.slice(path.length))];
  const signature = said.pop();
  if (signature?.[0] !== 'signature' || !isSameText(signature[1], sign(signingKey, { method, path, said }))) {
    throw new Fault('CA011', 'The address is not one that was given out for this: use it exactly as it came.');
  }
  // What follows we wrote ourselves.
  const [[, contentType], [, expires], last] = said as [[string, string], [string, string], [string, string]];
  return { key: path.slice(OBJECTS_PATH.length), contentType, expiresAt: new Date(Number(expires)), last };
}

interface Signed {
  method: string;
  path: string;
  /** Names and values in the order of the address. */
  said: Pairs;
}

/** JSON keeps the parts apart: no value can pass for a part of another. */
function sign(signingKey: Buffer, { method, path, said }: Signed): string {
  return createHmac('sha256', signingKey)
    .update(JSON.stringify(['object', method, path, said]))
    .digest('base64url');
}
