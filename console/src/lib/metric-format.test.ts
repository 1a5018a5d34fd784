import { describe, expect, it } from 'vitest';
import { formatQuantity, type Unit } from './metric-format.ts';

describe('figures as people read them', () => {
  it.each<[number, Unit, string]>([
    [0, 'count', '0'],
    [99.5, 'count', '99.5'],
    [12_345, 'count', '12.3K'],
    [2, 'average', '2'],
    [0.59, 'average', '0.6'],
    [0.04, 'average', 'under 0.1'],
    [0, 'average', '0'],
    [0.42, 'percent', '0.42%'],
    [0.84, 'ms', '0.8 ms'],
    [12.3, 'ms', '12 ms'],
    [999.7, 'ms', '1 s'],
    [1540, 'ms', '1.5 s'],
    [1536, 'bytes', '1.5 KB'],
    [2048, 'bytesPerSecond', '2 KB/s'],
  ])('%d %s is %s', (value, unit, text) => expect(formatQuantity(value, unit)).toBe(text));
});
