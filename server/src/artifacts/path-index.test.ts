import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BRANCHES, MAX_MET, PathIndex } from './path-index.ts';
import { compilePathPattern, segmentsOf } from './path-pattern.ts';

const segment = fc.constantFrom('a', 'b', ':x', ':y', '*', ':');
const patterns = fc
  .tuple(fc.array(segment, { maxLength: 4 }), fc.constantFrom('', '/', '/*'))
  .map(([segments, end]) => `/${segments.join('/')}${end}`.replace(/^\/+/, '/'));
const paths = fc
  .array(fc.constantFrom('a', 'b', 'c', '*', ':x', ':'), { maxLength: 5 })
  .map((all) => `/${all.join('/')}`);

/** What a pattern means, one by one. */
function isMatch(pattern: string, path: string): boolean {
  const [parts, segments] = [segmentsOf(pattern), segmentsOf(path)];
  const isOpen = parts.at(-1) === '*';
  const fixed = isOpen ? parts.slice(0, -1) : parts;
  if (isOpen ? segments.length < fixed.length : segments.length !== fixed.length) return false;
  return fixed.every((part, at) => /^:[a-z]/.test(part) || part === segments[at]);
}

function indexOf(written: readonly string[]) {
  const index = new PathIndex<string>();
  const taken = written.filter((pattern) => index.add(compilePathPattern(pattern), pattern) === null);
  return { index, taken };
}

const met = (index: PathIndex<string>, path: string) => index.match(segmentsOf(path)).map(({ rule }) => rule);

describe('an index of paths', () => {
  it('finds what a comparison one by one finds, in the same order', () => {
    fc.assert(
      fc.property(fc.array(patterns, { maxLength: 12 }), paths, (written, path) => {
        const { index, taken } = indexOf(written);
        expect(taken).toEqual(written);
        expect(met(index, path)).toEqual(written.filter((pattern) => isMatch(pattern, path)));
      }),
    );
  });

  it.each([
    ['the same path again and again', () => '/*'],
    ['the same path in full', () => '/a/a'],
    [
      'paths that part everywhere',
      (at: number) =>
        at
          .toString(2)
          .split('')
          .map((bit) => (bit === '1' ? '/:x' : '/a'))
          .join(''),
    ],
    ['open ends at every length', (at: number) => `${'/:x'.repeat(at % 31)}/*`],
  ])('lets no address meet more than there may be: %s', (_what, patternOf: (at: number) => string) => {
    const { index, taken } = indexOf(Array.from({ length: 2000 }, (_, at) => patternOf(at)));
    expect(taken.length).toBeLessThan(2000);
    for (let length = 0; length < 40; length++) {
      expect(met(index, '/a'.repeat(length) || '/').length).toBeLessThanOrEqual(MAX_MET);
    }
  });

  it('refuses what is too deep, too crowded or too much, and goes on with the rest', () => {
    const index = new PathIndex<null>();
    const add = (path: string) => index.add(compilePathPattern(path), null);
    expect(add(`${'/a'.repeat(32)}/*`)).toBe('segments');
    expect(add('/a'.repeat(1000))).toBeNull();
    for (let at = 0; at < 400; at++) expect(add(`/p${at}${'/a'.repeat(30)}/*`)).toBe(at < 322 ? null : 'size');
    expect(index.size).toBeLessThan(MAX_BRANCHES + 400);
    const crowd = Array.from({ length: 300 }, () => add('/*'));
    expect(crowd.indexOf('crowd')).toBeGreaterThan(200);
    expect(add('/b/c')).toBeNull();
    expect(add('/p1/b')).toBeNull();
  });
});
