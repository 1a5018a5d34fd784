/** As much of DER, in which certificates are written, as ours need. */

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export const sequence = (...parts: readonly Buffer[]): Buffer => element(0x30, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => element(0x31, ...parts);
export const octets = (content: Buffer): Buffer => element(0x04, content);
export const text = (content: string): Buffer => element(0x0c, Buffer.from(content));
export const yes = element(0x01, Buffer.from([0xff]));

/** Not negative, and without a zero at its beginning: the caller's care. */
export const integer = (bytes: Buffer): Buffer => element(0x02, bytes);

/** `unused`: of the last byte's bits, from the right. */
export function bits(content: Buffer, unused = 0): Buffer {
  return element(0x03, Buffer.from([unused]), content);
}

/** What a structure has at a number; `plain`: not made of further elements. */
export function numbered(number: number, content: Buffer, kind: 'plain' | 'made' = 'made'): Buffer {
  return element((kind === 'made' ? 0xa0 : 0x80) | number, content);
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([40 * first + second, ...others.flatMap(inSevens)]));
}

/** Seven bits a byte; all but the last have the eighth set. */
function inSevens(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >> 7; rest > 0; rest >>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}

/** Years from 2050 on are written with four digits, those before with two. */
export function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]|\.\d+/g, '');
  return at.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(digits.slice(2), 'latin1'))
    : element(0x18, Buffer.from(digits, 'latin1'));
}
