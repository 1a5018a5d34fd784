import { timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same. How long it takes tells at most that they are not equally long. */
export function isSameText(one: string, other: string): boolean {
  return isSameBytes(Buffer.from(one), Buffer.from(other));
}

/** The same for bytes, as the hashes of secrets are. */
export function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
