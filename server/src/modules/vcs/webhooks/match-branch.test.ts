import { Script } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
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

  it('of what people write is looked at without a clock, which might stop it on a busy machine', () => {
    const clocked = vi.spyOn(Script.prototype, 'runInContext');
    const list = ['main', 'release-[0-9]', '{feature,fix}/**', '**/hot-*', 'v?.x', '!**/wip/**'];
    const branches = ['main', 'release-7', 'fix/a/b', 'a/hot-1', 'v1.x', 'fix/wip/x', 'other'];
    expect(branches.filter((branch) => matchesBranch(list, branch))).toEqual(branches.slice(0, 5));
    expect(clocked).not.toHaveBeenCalled();
    expect(matchesBranch(['*a*b*c'], 'abc')).toBe(true);
    expect(clocked).toHaveBeenCalledOnce();
    clocked.mockRestore();
  });

  it.each(['*a'.repeat(100) + 'b', '(a*)*'.repeat(20) + 'b', '{a,aa,aaa}*'.repeat(20) + 'b', '['.repeat(255)])(
    'that is made to take for ever does not: %s',
    (pattern) => {
      const began = performance.now();
      expect(matchesBranch(Array.from({ length: 100 }).fill(pattern) as string[], 'a'.repeat(255))).toBe(false);
      expect(performance.now() - began).toBeLessThan(5000);
    },
  );

  it('names nothing when it takes for ever to say what is left out', () => {
    const endless = '*a'.repeat(100) + 'b';
    const branch = 'a'.repeat(255);
    expect(matchesBranch(['**'], branch)).toBe(true);
    expect(matchesBranch(['**', `!${endless}`], branch)).toBe(false);
    expect(matchesBranch([`!${endless}`], branch)).toBe(false);
  });
});
