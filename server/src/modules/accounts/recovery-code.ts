import { randomBytes } from 'node:crypto';
import { sha256 } from '../../lib/hash.ts';

const RECOVERY_CODES = 10;
/** RFC 4648: no 0, 1, 8 or 9 to mistake for letters. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const LENGTH = 16;
const CODE = /^[A-Z2-7]{16}$/;

/** Ten codes of 80 bits, written in groups: `ABCD-EFGH-IJKL-MN23`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}

/** Null for what cannot be a recovery code. Case, spaces and dashes do not matter. */
export function hashRecoveryCode(text: string): Buffer | null {
  const code = text.replace(/[\s-]/g, '').toUpperCase();
  return CODE.test(code) ? sha256(code) : null;
}

function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return letters.match(/.{4}/g)!.join('-');
}
