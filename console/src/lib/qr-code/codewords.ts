import { capacityOf, lengthBits } from './version.ts';

const BYTE_MODE = 0b0100;

/** What the symbol carries, in the order it is drawn: the blocks interleaved, then what corrects them. */
export function codewordsOf(bytes: Uint8Array, version: number): number[] {
  const { blocks, correctionPerBlock, codewords, dataCodewords } = capacityOf(version);
  const data = dataOf(bytes, version, dataCodewords);
  // The last blocks are longer by one where the codewords do not divide evenly.
  const shortBlocks = blocks - (codewords % blocks);
  const shortLength = Math.floor(codewords / blocks) - correctionPerBlock;
  const parts: number[][] = [];
  for (let index = 0, at = 0; index < blocks; index++) {
    const length = shortLength + (index < shortBlocks ? 0 : 1);
    parts.push(data.slice(at, at + length));
    at += length;
  }
  const corrections = parts.map((part) => correctionOf(part, correctionPerBlock));
  return [...interleave(parts), ...interleave(corrections)];
}

function interleave(parts: readonly number[][]): number[] {
  const longest = Math.max(...parts.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => parts.flatMap((part) => part[index] ?? [])).flat();
}

/** Mode, length, text, an end, and filling. */
function dataOf(bytes: Uint8Array, version: number, codewords: number): number[] {
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >>> bit) & 1);
  };
  push(BYTE_MODE, 4);
  push(bytes.length, lengthBits(version));
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, 8 * codewords - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  const data: number[] = [];
  for (let at = 0; at < bits.length; at += 8) data.push(Number.parseInt(bits.slice(at, at + 8).join(''), 2));
  for (let filling = 0xec; data.length < codewords; filling ^= 0xec ^ 0x11) data.push(filling);
  return data;
}

/** Reed-Solomon: the remainder of the data divided by the generator polynomial, over GF(2^8) modulo 0x11d. */
export function correctionOf(data: readonly number[], length: number): number[] {
  const generator = generatorOf(length);
  const remainder = Array<number>(length).fill(0);
  for (const value of data) {
    const factor = value ^ remainder.shift()!;
    remainder.push(0);
    for (const [index, coefficient] of generator.entries()) remainder[index]! ^= multiply(coefficient, factor);
  }
  return remainder;
}

/** (x - 1)(x - 2)(x - 4)…, without its leading one. */
function generatorOf(degree: number): number[] {
  const result = Array<number>(degree).fill(0);
  result[degree - 1] = 1;
  let root = 1;
  for (let step = 0; step < degree; step++) {
    for (let index = 0; index < degree; index++) {
      result[index] = multiply(result[index]!, root) ^ (result[index + 1] ?? 0);
    }
    root = multiply(root, 2);
  }
  return result;
}

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}
