import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SealedPlace } from './keyring.ts';

/**
 * `v1.<key id>.<wrapped data key>.<ciphertext>`: AES-256-GCM twice. A fresh data key seals the value,
 * and a key of the key file wraps the data key, so a rotation rewraps 32 bytes and never reads the value.
 * Both layers carry the value's place as additional data.
 */
export interface SealingKey {
  id: string;
  secret: Buffer;
}

/** Finds a key by its id, or throws. */
export type FindKey = (id: string) => SealingKey;

export class SealedValueError extends Error {}

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function sealValue(key: SealingKey, plaintext: string, place: SealedPlace): string {
  const dataKey = randomBytes(KEY_BYTES);
  const ciphertext = encrypt(dataKey, Buffer.from(plaintext, 'utf8'), bindingOf('value', place));
  return format(key.id, encrypt(key.secret, dataKey, bindingOf('key', place)), ciphertext);
}

export function openValue(findKey: FindKey, sealed: string, place: SealedPlace): string {
  const { keyId, wrapped, ciphertext } = parse(sealed, place);
  const dataKey = decrypt(findKey(keyId).secret, wrapped, { layer: 'key', place });
  return decrypt(dataKey, ciphertext, { layer: 'value', place }).toString('utf8');
}

/** The same value under another key. */
export function rewrapValue(keys: { find: FindKey; to: SealingKey }, sealed: string, place: SealedPlace): string {
  const { keyId, wrapped, ciphertext } = parse(sealed, place);
  const dataKey = decrypt(keys.find(keyId).secret, wrapped, { layer: 'key', place });
  return format(keys.to.id, encrypt(keys.to.secret, dataKey, bindingOf('key', place)), ciphertext);
}

export function describePlace(place: SealedPlace): string {
  return [place.table, place.row, place.column].map(encodeURIComponent).join(':');
}

type Layer = 'key' | 'value';

/** The layer is named too, so that neither can stand in for the other. */
function bindingOf(layer: Layer, place: SealedPlace): Buffer {
  return Buffer.from(`v1:${layer}:${describePlace(place)}`, 'utf8');
}

function format(keyId: string, wrapped: Buffer, ciphertext: Buffer): string {
  return ['v1', keyId, wrapped.toString('base64url'), ciphertext.toString('base64url')].join('.');
}

function parse(sealed: string, place: SealedPlace): { keyId: string; wrapped: Buffer; ciphertext: Buffer } {
  const [version, keyId, wrapped, ciphertext, ...rest] = sealed.split('.');
  if (version !== 'v1' || !keyId || !wrapped || !ciphertext || rest.length > 0) {
    throw new SealedValueError(`What stands at ${describePlace(place)} is not a sealed value.`);
  }
  return { keyId, wrapped: decode(wrapped, place), ciphertext: decode(ciphertext, place) };
}

/** The decoder forgives stray characters; a sealed value has exactly one spelling. */
function decode(text: string, place: SealedPlace): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text || bytes.length < NONCE_BYTES + TAG_BYTES) throw doesNotOpen(place);
  return bytes;
}

function encrypt(key: Buffer, plaintext: Buffer, binding: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(binding);
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, box: Buffer, { layer, place }: { layer: Layer; place: SealedPlace }): Buffer {
  const nonce = box.subarray(0, NONCE_BYTES);
  const tag = box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(bindingOf(layer, place))
    .setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    throw doesNotOpen(place);
  }
}

function doesNotOpen(place: SealedPlace): SealedValueError {
  return new SealedValueError(
    `The sealed value at ${describePlace(place)} does not open: it was changed, or was sealed for another place.`,
  );
}
