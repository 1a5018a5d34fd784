import { describe, expect, it } from 'vitest';
import { matchesBranch } from './match-branch.ts';

describe('a list of branches', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'Main', false],
    ['main', 'maintenance', false],
    ['*', 'main', true],
    ['*', 'feature/x', false],
    ['**', 'feature/x/y', true],
    ['feature/*', 'feature/x', true],
    ['feature/*', 'feature/x/y', false],
    ['feature/*', 'feature', false],
    ['feature/**', 'feature/x/y', true],
    ['feature/*/y', 'feature/x/y', true],
    ['**/hotfix', 'team/a/hotfix', true],
    ['**/hotfix', 'hotfix', true],
    ['release-?', 'release-1', true],
    ['release-?', 'release-12', false],
    ['release-[0-9]', 'release-7', true],
    ['release-[0-9]', 'release-x', false],
    ['{main,next}', 'next', true],
    ['{main,next}', 'other', false],
    ['v*.x', 'v12.x', true],
    ['v*.x', 'v12-x', false],
    ['größe/*', 'größe/ü', true],
    ['release-[0-9]+', 'release-42', true],
    ['release-[0-9]+', 'release-', false],
    ['release-[^0-9]', 'release-x', true],
    ['[[:alpha:]]*', 'main', true],
    ['[[:alpha:]]*', '1st', false],
    ['release-{1..3}', 'release-2', true],
    ['(feature|fix)/*', 'fix/x', true],
    ['{a,{b,c}}/*', 'c/x', true],
    ['feature/**', 'feature', true],
    ['\\{a\\}/*', '{a}/x', true],
    ['v[z-a]', 'vz', false],
    // Written in full, whatever is in it.
    ['fix(api)', 'fix(api)', true],
    ['a+b', 'a+b', true],
    ['{x', '{x', true],
    // No extended globs: `!(…)` and `+(…)` are the letters they are.
    ['+(a)', 'aaa', false],
  ])('%s and %s: %s', (pattern, branch, isNamed) => {
    expect(matchesBranch([pattern], branch)).toBe(isNamed);
  });

  it('of nothing names none, of several any, of exceptions all others', () => {
    expect(matchesBranch([], 'main')).toBe(false);
    expect(matchesBranch(['main', 'next'], 'next')).toBe(true);
    const list = ['feature/**', '!feature/wip-*', '!**/draft'];
    expect(['feature/x', 'feature/wip-1', 'feature/a/draft', 'main'].map((name) => matchesBranch(list, name))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    // In whatever order.
    expect(matchesBranch(['!feature/wip-*', 'feature/**'], 'feature/wip-1')).toBe(false);
    expect(matchesBranch(['!main'], 'next')).toBe(true);
    expect(matchesBranch(['!main'], 'main')).toBe(false);
    expect(matchesBranch(['!'], 'main')).toBe(true);
  });

  it('that is made to take long says what it means', () => {
    const branch = 'a'.repeat(255);
    const long = ['*a'.repeat(127), '(a*)*'.repeat(50), '{a,aa,aaa}*'.repeat(20)].map((glob) => `${glob}b`);
    expect(matchesBranch(long, branch)).toBe(false);
    expect(matchesBranch(long, `${branch.slice(1)}b`)).toBe(true);
    expect(matchesBranch(['**', ...long.map((glob) => `!${glob}`)], branch)).toBe(true);
    expect(matchesBranch(['**', ...long.map((glob) => `!${glob}`)], `${branch.slice(1)}b`)).toBe(false);
  });

  it('names nothing when it takes for ever to say what is left out', () => {
    const branch = 'a'.repeat(255);
    const endless = Array.from({ length: 100 }, (_, at) => `!${'*a'.repeat(120)}${at}`);
    expect(matchesBranch(['**'], branch)).toBe(true);
    expect(matchesBranch(['**', ...endless], branch)).toBe(false);
    expect(matchesBranch(endless, branch)).toBe(false);
    expect(matchesBranch(endless, 'main')).toBe(true);
  });

  it('is not tried on what is longer than any branch', () => {
    expect(matchesBranch(['**'], 'a'.repeat(255))).toBe(true);
    expect(matchesBranch(['**'], 'a'.repeat(64 * 1024))).toBe(false);
  });
});
