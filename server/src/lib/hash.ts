import { createHash, randomBytes } from 'node:crypto';

/** For tokens of high entropy only; passwords go through Argon2id. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A bearer secret nobody can guess. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}
