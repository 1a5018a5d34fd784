/** Of level M, by version from 1: how many blocks there are, and how many codewords of each correct errors. */
const blocks = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35,
  37, 38, 40, 43, 45, 47, 49,
] as const;
const corrections = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
] as const;

interface Capacity {
  blocks: number;
  correctionPerBlock: number;
  /** Of all blocks together. */
  codewords: number;
  dataCodewords: number;
}

export function capacityOf(version: number): Capacity {
  const count = blocks[version - 1]!;
  const correctionPerBlock = corrections[version - 1]!;
  const codewords = Math.floor(rawModules(version) / 8);
  return { blocks: count, correctionPerBlock, codewords, dataCodewords: codewords - count * correctionPerBlock };
}

/** How many bits say how long the text is. */
export const lengthBits = (version: number): number => (version < 10 ? 8 : 16);

/** The smallest that holds so many bytes; null when none does. */
export function versionFor(byteCount: number): number | null {
  for (let version = 1; version <= blocks.length; version++) {
    if (4 + lengthBits(version) + 8 * byteCount <= 8 * capacityOf(version).dataCodewords) return version;
  }
  return null;
}

/** The modules that carry codewords: all but those of the fixed patterns. */
function rawModules(version: number): number {
  let count = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const alignments = Math.floor(version / 7) + 2;
    count -= (25 * alignments - 10) * alignments - 55;
  }
  return version >= 7 ? count - 36 : count;
}
