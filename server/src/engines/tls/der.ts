/** The few shapes of ASN.1 that a certificate consists of, as bytes (DER, X.690). */
export type Der = Buffer;

const tagged = (tag: number, ...contents: readonly Uint8Array[]): Der => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
};

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes = bigEndian(length);
  return [0x80 | bytes.length, ...bytes];
}

function bigEndian(number: number): number[] {
  return number < 0x100 ? [number] : [...bigEndian(Math.floor(number / 0x100)), number % 0x100];
}

export const sequence = (...items: readonly Der[]): Der => tagged(0x30, ...items);
export const set = (...items: readonly Der[]): Der => tagged(0x31, ...items);
export const boolean = (value: boolean): Der => tagged(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (value: Uint8Array): Der => tagged(0x04, value);
export const text = (value: string): Der => tagged(0x0c, Buffer.from(value));
/** The last `unused` bits say nothing. */
export const bits = (value: Uint8Array, unused = 0): Der => tagged(0x03, Buffer.from([unused]), value);
/** A part that is told by its number, around another. */
export const explicit = (number: number, item: Der): Der => tagged(0xa0 | number, item);
/** The same in place of the other's own tag. */
export const implicit = (number: number, value: Uint8Array): Der => tagged(0x80 | number, value);

/** Of bytes that say a number without a sign. */
export function integer(value: Uint8Array): Der {
  const first = value.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.from([0]) : value.subarray(first);
  return tagged(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0), digits);
}

/** `2.5.29.17` */
export function identifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(inSevenBits)]));
}

function inSevenBits(number: number): number[] {
  const digits = [number % 0x80];
  for (let rest = Math.floor(number / 0x80); rest > 0; rest = Math.floor(rest / 0x80)) {
    digits.unshift(0x80 | (rest % 0x80));
  }
  return digits;
}

/** Certificates say years before 2050 with two digits. */
export function time(value: Date): Der {
  const digits = value.toISOString().replaceAll(/\.\d+|[-:T]/g, '');
  return value.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}
