import { describe, expect, it } from 'vitest';
import { formatSize } from './format-size.ts';

describe('sizes', () => {
  it.each([
    [0, '0 bytes'],
    [1000, '1000 bytes'],
    [1023.96, '1 KB'],
    [1536, '1.5 KB'],
    [150 * 2 ** 20, '150 MB'],
    [2 ** 30 - 1, '1 GB'],
    [5 * 2 ** 50, '5120 TB'],
    [-2048, '-2 KB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));
});
