import { describe, expect, it } from 'vitest';
import { describeFiles } from './describe-files.ts';

describe('files in a log', () => {
  it.each([
    [0, 0, '0 files, 0 B'],
    [1, 980, '1 file, 980 B'],
    [6, 1390, '6 files, 1.4 KB'],
    [4, 223_549, '4 files, 224 KB'],
    [2, 999_600, '2 files, 1.0 MB'],
    [12_040, 3_421_000_000, '12,040 files, 3.4 GB'],
  ])('%i of %i bytes are %j', (count, bytes, text) => {
    expect(describeFiles(count, bytes)).toBe(text);
  });
});
