import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDockerignore } from './read-dockerignore.ts';

const isLeftOut = (patterns: string, path: string): boolean => readDockerignore(patterns).has(path);

describe('.dockerignore', () => {
  it.each([
    ['node_modules', 'node_modules/x/y', true],
    ['node_modules', 'a/node_modules', false],
    ['/node_modules/', 'node_modules', true],
    ['node_modules', 'Node_modules', false],
    ['**/node_modules', 'a/b/node_modules/c', true],
    ['**/node_modules', 'node_modules', true],
    ['**/*.log', 'a.log', true],
    ['**/*.log', 'a/b.log', true],
    ['*.log', 'a/b.log', false],
    ['*', 'a/b', true],
    ['**', 'a/b', true],
    ['a/**', 'a/b/c', true],
    ['a/**/c', 'a/c', true],
    ['a/**/c', 'a/b/b/c', true],
    ['a/**/c', 'a/bc', false],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['*/temp*', 'x/temporary/y', true],
    ['[a-c]x', 'bx', true],
    ['[^a-c]x', 'bx', false],
    [String.raw`\*`, '*', true],
    [String.raw`\*`, 'a', false],
    ['a.b', 'axb', false],
    ['./a//b/../c', 'a/c', true],
    ['#a', '#a', false],
    ['*\n!keep', 'keep/x', false],
    ['*\n!keep\nkeep/x', 'keep/x', true],
    ['', 'a', false],
  ])('%j: %s is left out: %s', (patterns, path, expected) => expect(isLeftOut(patterns, path)).toBe(expected));

  it('that is no pattern is refused with its line', () => {
    expect(() => readDockerignore('a\n[a-')).toThrow(/^Line 2 of the \.dockerignore/);
    expect(() => readDockerignore('a\n'.repeat(1001))).toThrow(/more than 1000 patterns/);
    expect(() => readDockerignore(`${'*a'.repeat(500)}\n`.repeat(11))).toThrow(/more than 10000 characters/);
    expect(isLeftOut(`${'a'.repeat(20)}\n`.repeat(1000), 'a'.repeat(20))).toBe(true);
  });

  it('means what the same words of regular expressions mean', () => {
    const parts = fc.constantFrom('a', 'b', '/', '*', '?', '**', '**/');
    const pattern = fc.array(parts, { minLength: 1, maxLength: 7 }).map((words) => `a${words.join('')}b`);
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c', 'a/', 'b/'), { maxLength: 8 })
      .map((words) => `${words.join('')}b`);
    fc.assert(
      fc.property(
        pattern.filter((text) => !text.includes('//')),
        path,
        (text, name) => {
          const words = text.replaceAll(/\*\*\/?|\*|\?/g, (word) => {
            if (word.length > 1) return '(.*/)?';
            return word === '*' ? '[^/]*' : '[^/]';
          });
          const above = name.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));
          const expected = above.some((each) => new RegExp(`^${words}$`).test(each));
          expect(isLeftOut(text, name)).toBe(expected);
        },
      ),
    );
  });

  it('takes no longer where somebody means it to', () => {
    expect(isLeftOut(`${'**/'.repeat(300)}${'*a'.repeat(100)}x`, 'a'.repeat(250))).toBe(false);
    expect(isLeftOut(`${'**/a'.repeat(50)}x`, `${'a/'.repeat(100)}y`)).toBe(false);
  });
});
