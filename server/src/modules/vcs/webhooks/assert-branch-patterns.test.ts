import { describe, expect, it } from 'vitest';
import { assertBranchPatterns } from './assert-branch-patterns.ts';

const check = (...patterns: string[]) => assertBranchPatterns('autoDeployBranches', patterns);

describe('a list of patterns for branches', () => {
  it.each([
    ['', /"" is empty/],
    ['!', /"!" is empty/],
    ['feature/*,fix/*', /has a comma: send each pattern by itself/],
    ['{a,b', /has a comma/],
    ['[bad', /has a \[ without its \]/],
    ['![bad', /has a \[ without its \]/],
    ['v[z-a]', /cannot be a pattern/],
    ['my branch', /has a space/],
    ['*a'.repeat(33), /has more than 32 of \* \? \[ \{ \( \+: write several patterns/],
  ])('refuses %s', (pattern, message) => {
    expect(() => check('main', pattern)).toThrow(message);
    expect(() => check(pattern)).toThrow(/^autoDeployBranches: "/);
  });

  it.each([
    'main',
    'feature/**',
    '!dependabot/**',
    'v?.x',
    '{feature,fix}/*',
    '{a,{b,c}}',
    'release-[0-9]',
    '[^a]*',
    'fix(api)',
    'a+b',
    '{x',
    'größe/*',
    '[[:alpha:]]*',
    '*a'.repeat(32),
  ])('takes %s', (pattern) => {
    expect(() => check(pattern)).not.toThrow();
  });
});
