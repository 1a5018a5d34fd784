import { describe, expect, it } from 'vitest';
import { formatBytes, formatQuantity } from './format-quantity.ts';

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
  ])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});

describe('numbers with a unit', () => {
  it.each([
    [12.345, 'percent', '12.35%'],
    [1_234_567, 'count', '1.2M'],
    [7, 'count', '7'],
    [250, 'ms', '250 ms'],
    [2048, 'bytesPerSecond', '2 KB/s'],
  ] as const)('%d of %s is %s', (value, unit, text) => expect(formatQuantity(value, unit)).toBe(text));
});
