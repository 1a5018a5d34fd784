import { randomFillSync } from 'node:crypto';

export type IdPrefix =
  | 'app'
  | 'env'
  | 'dep'
  | 'db'
  | 'dbs'
  | 'bak'
  | 'upl'
  | 'key'
  | 'org'
  | 'usr'
  | 'ses'
  | 'inv'
  | 'fld'
  | 'act'
  | 'art'
  | 'ins'
  | 'err'
  | 'vcc'
  | 'vca'
  | 'dom'
  | 'crt'
  | 'acm'
  | 'req';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/** `app_01k…`: 48 bits of time, then 80 random bits, so that ids sort by creation (Crockford's base 32). */
export function newId(prefix: IdPrefix, now: number = Date.now()): string {
  let time = '';
  for (let rest = now, digit = 0; digit < TIME_DIGITS; digit++, rest = Math.floor(rest / 32)) {
    time = ALPHABET[rest % 32] + time;
  }
  return `${prefix}_${time}${randomDigits()}`;
}

/** Drawn in bulk: asking for sixteen at a time costs more than all the rest of an id, and every request has one. */
const pool = Buffer.alloc(4096);
let used = pool.length;

function randomDigits(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let digits = '';
  for (const end = used + RANDOM_DIGITS; used < end; used++) digits += ALPHABET[pool[used]! % 32];
  return digits;
}
