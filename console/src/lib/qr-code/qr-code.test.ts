import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { correctionOf } from './codewords.ts';
import { qrCode } from './qr-code.ts';

const sizeFor = (bytes: number) => qrCode('x'.repeat(bytes))?.length ?? null;

describe('qrCode', () => {
  it('draws what another encoder draws with the same mask', () => {
    expect(qrCode('lilac')!.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''))).toEqual([
      '#######..####.#######',
      '#.....#.....#.#.....#',
      '#.###.#.#.#...#.###.#',
      '#.###.#.##....#.###.#',
      '#.###.#.###.#.#.###.#',
      '#.....#.####..#.....#',
      '#######.#.#.#.#######',
      '........###..........',
      '#.#####..###..#####..',
      '#....#.########.....#',
      '....####....#.##.###.',
      '#.#......######..##..',
      '..#...###...#..#...##',
      '........###.#..#.#..#',
      '#######...##.#..#.##.',
      '#.....#.###....#####.',
      '#.###.#.#..#.#..#..#.',
      '#.###.#.#..#####..#..',
      '#.###.#.###.#.##.##..',
      '#.....#..#.####.###..',
      '#######.#...#..#...#.',
    ]);
  });

  it('draws the larger ones as the other encoder does, with their version and alignment patterns', () => {
    const label = 'Lilac:ada.lovelace%40analytical-engines.example.org';
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const code = qrCode(`otpauth://totp/${label}?secret=${secret}&issuer=Lilac&algorithm=SHA1&digits=6&period=30`)!;
    const bits = code.flat().map(Number).join('');
    expect(code).toHaveLength(53);
    expect(createHash('sha256').update(bits).digest('hex')).toBe(
      'c0e858f95dbcab5d2423e31748821582608c81fa7876274523aa7736054be441',
    );
  });

  it('is as small as the text allows, and null for a text that no code can hold', () => {
    expect([14, 15, 213, 214, 2331, 2332].map(sizeFor)).toEqual([21, 25, 57, 61, 177, null]);
  });

  it('counts the bytes of a text and not its letters', () => {
    expect(qrCode('ü'.repeat(7))).toHaveLength(21);
    expect(qrCode('ü'.repeat(8))).toHaveLength(25);
  });
});

describe('correctionOf', () => {
  it('gives the codewords of the well-known example, HELLO WORLD at level M', () => {
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
    expect(correctionOf(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
  });
});
