import { describe, expect, it } from 'vitest';
import { readDirectory } from './directory.ts';
import { refusal } from './testing/refusal.ts';

describe('a directory of the source', () => {
  it.each([
    ['dist', 'dist'],
    ['./dist/', 'dist'],
    ['.', ''],
    ['./', ''],
    ['apps//web/./out', 'apps/web/out'],
    ['..dist', '..dist'],
    ['a b/ünï', 'a b/ünï'],
    ['-rf', '-rf'],
  ])('%j is %j', (text, directory) => {
    expect(readDirectory('outputDirectory', text)).toBe(directory);
  });

  it.each(['/etc', '/', '..', 'a/../..', 'dist/..', String.raw`..\a`, String.raw`C:\a`])('%j is refused', (text) => {
    expect(() => readDirectory('rootDirectory', text)).toThrow(refusal(/^rootDirectory must/));
  });
});
