import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '../../lib/hash.ts';

/**
 * A key's text is `lc_<12 base62 id>_<32 base62 secret><6 base62 checksum>`. The id finds the row, the
 * secret carries 190 bits, and the checksum refuses typing errors and random probes before any look-up
 * (it also lets a secret scanner tell a real key from something that only looks like one).
 */
export interface NewApiKey {
  /** Shown once to whoever created it; never stored. */
  text: string;
  publicId: string;
  /** What a list shows, so that people can tell their keys apart. */
  prefix: string;
  secretHash: Buffer;
}

const PATTERN = /^lc_([0-9A-Za-z]{12})_[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_DIGITS = 6;

export function mintApiKey(): NewApiKey {
  const publicId = randomBase62(12);
  const secret = randomBase62(32);
  const body = `lc_${publicId}_${secret}`;
  const text = body + checksumOf(body);
  return { text, publicId, prefix: `lc_${publicId}_${secret.slice(0, 4)}…`, secretHash: hashApiKey(text) };
}

/** Null for anything that no platform ever issued. */
export function parseApiKey(text: string): { publicId: string } | null {
  const [, publicId, checksum] = PATTERN.exec(text) ?? [];
  if (!publicId || checksumOf(text.slice(0, -CHECKSUM_DIGITS)) !== checksum) return null;
  return { publicId };
}

/** A plain hash is enough: nobody guesses 190 random bits. */
export function hashApiKey(text: string): Buffer {
  return sha256(text);
}

function checksumOf(body: string): string {
  let digits = '';
  for (let rest = crc32(body); digits.length < CHECKSUM_DIGITS; rest = Math.floor(rest / 62)) {
    digits = ALPHABET[rest % 62] + digits;
  }
  return digits;
}

/** 256 is no multiple of 62, so bytes that would favour some digits are thrown away. */
function randomBase62(length: number): string {
  let digits = '';
  while (digits.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && digits.length < length) digits += ALPHABET[byte % 62];
    }
  }
  return digits;
}
