import { describe, expect, it } from 'vitest';
import { describeFiles } from './describe-files.ts';

describe('files in a log', () => {
  it.each([
    [0, 0, '0 files, 0 bytes'],
    [1, 980, '1 file, 980 bytes'],
    [6, 1390, '6 files, 1.4 KB'],
    [4, 45_000_000, '4 files, 42.9 MB'],
    [2, 100 * 1024 * 1024, '2 files, 100 MB'],
    [12_040, 3_421_000_000, '12,040 files, 3.2 GB'],
  ])('%i of %i bytes are %j', (count, bytes, text) => {
    expect(describeFiles(count, bytes)).toBe(text);
  });
});
