import { createHmac, timingSafeEqual } from 'node:crypto';
import { Fault } from '../../lib/fault.ts';
import { assertKey } from '../object-key.ts';
import type { PutTerms } from '../object-store.ts';

/** What the platform's host keeps apart for objects; the edge passes it to the object server. */
export const OBJECTS_PATH = '/objects/';

export interface SignedPut {
  key: string;
  terms: PutTerms;
}

/** An address that says what it is good for, and a signature over all of it. */
export function signPut(signingKey: Buffer, publicUrl: URL, { key, terms }: SignedPut): string {
  assertKey(key);
  const address = new URL(OBJECTS_PATH + key, publicUrl);
  const said = [
    ['contentType', terms.contentType],
    ['expires', String(terms.expiresAt.getTime())],
    'exact' in terms.size ? ['exact', String(terms.size.exact)] : ['max', String(terms.size.max)],
  ];
  const signature = sign(signingKey, { method: 'PUT', path: address.pathname, said });
  address.search = new URLSearchParams([...said, ['signature', signature]]).toString();
  return address.href;
}

/** Refuses what we did not sign. Whether it is still good is for the caller to say. */
export function readSignedPut(signingKey: Buffer, method: string, target: string): SignedPut {
  const path = target.split('?', 1)[0]!;
  const said = [...new URLSearchParams(target.slice(path.length))];
  const signature = said.pop();
  if (signature?.[0] !== 'signature' || !isEqual(signature[1], sign(signingKey, { method, path, said }))) {
    throw new Fault('CA011', 'The address is not one that was given out: use signedUrl exactly as it came.');
  }
  // What follows we wrote ourselves.
  const [contentType, expires, [kind, size]] = said.map((pair, index) => (index === 2 ? pair : pair[1])) as [
    string,
    string,
    [string, string],
  ];
  return {
    key: path.slice(OBJECTS_PATH.length),
    terms: {
      contentType,
      expiresAt: new Date(Number(expires)),
      size: kind === 'exact' ? { exact: Number(size) } : { max: Number(size) },
    },
  };
}

interface Signed {
  method: string;
  path: string;
  /** Names and values in the order of the address. */
  said: readonly (readonly string[])[];
}

/** JSON keeps the parts apart: no value can pass for a part of another. */
function sign(signingKey: Buffer, { method, path, said }: Signed): string {
  return createHmac('sha256', signingKey)
    .update(JSON.stringify(['object', method, path, said]))
    .digest('base64url');
}

function isEqual(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
