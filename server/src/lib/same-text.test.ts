import type { timingSafeEqual } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isSameBytes, isSameText } from './same-text.ts';

type Compare = typeof timingSafeEqual;

const crypto = vi.hoisted(() => ({ real: null as Compare | null, timingSafeEqual: vi.fn<Compare>() }));
vi.mock(import('node:crypto'), async (original) => {
  const real = await original();
  crypto.real = real.timingSafeEqual;
  return { ...real, timingSafeEqual: crypto.timingSafeEqual };
});

const asText = (bytes: NodeJS.ArrayBufferView): string => Buffer.from(bytes as Uint8Array).toString();

beforeEach(() => {
  crypto.timingSafeEqual.mockReset().mockImplementation(crypto.real!);
});

describe('two secrets', () => {
  it('are the same when every character is', () => {
    expect(isSameText('lilac', 'lilac')).toBe(true);
    expect(isSameText('', '')).toBe(true);
    expect(isSameText('fliéder', 'fliéder')).toBe(true);
    expect(isSameBytes(Buffer.from([1, 2]), Uint8Array.of(1, 2))).toBe(true);
  });

  it('are others when one character is, wherever it stands', () => {
    for (const other of ['Lilac', 'liLac', 'lilaC']) expect(isSameText('lilac', other)).toBe(false);
    expect(isSameBytes(Buffer.from([1, 2]), Buffer.from([1, 3]))).toBe(false);
  });

  it('are others when one is longer, also where the letters are as many and the bytes are not', () => {
    const pairs = [
      ['lilac', 'lilac '],
      ['', 'lilac'],
      ['lilac', 'lil'],
      ['e', 'é'],
    ] as const;
    for (const [one, other] of pairs) {
      expect(isSameText(one, other)).toBe(false);
      expect(isSameText(other, one)).toBe(false);
    }
  });

  it('are what the comparison in constant time says of them, and nothing else is looked at', () => {
    crypto.timingSafeEqual.mockReturnValue(true);
    expect(isSameText('lilac', 'olive')).toBe(true);
    expect(isSameBytes(Buffer.from('lilac'), Buffer.from('olive'))).toBe(true);
    crypto.timingSafeEqual.mockReturnValue(false);
    expect(isSameText('lilac', 'lilac')).toBe(false);
    expect(isSameBytes(Buffer.from('lilac'), Buffer.from('lilac'))).toBe(false);
    expect(crypto.timingSafeEqual.mock.calls.map(([one, other]) => [asText(one), asText(other)])).toEqual([
      ['lilac', 'olive'],
      ['lilac', 'olive'],
      ['lilac', 'lilac'],
      ['lilac', 'lilac'],
    ]);
  });
});
