import { describe, expect, it } from 'vitest';
import { run } from '../../lib/exec.ts';
import { isBranchName } from './branch-name.ts';

const good = [
  'main',
  'feature/one',
  'a.b',
  'ünïcode',
  'a-b_c',
  'dependabot/npm/x-1.2.3',
  '@x',
  'a@b',
  'x{y',
  "it's",
  'a"b',
  '$(id)',
  'a;b',
  'a|b',
];
const bad = [
  '',
  '-x',
  '--upload-pack=x',
  '@',
  'HEAD',
  'a..b',
  'a b',
  'a\tb',
  'a\nb',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[b',
  String.raw`a\b`,
  '/a',
  'a/',
  'a//b',
  '.a',
  'a/.b',
  'a.',
  'a.lock',
  'a.lock/b',
  'a@{1}',
  '\u007F',
  'x'.repeat(256),
];

describe('isBranchName', () => {
  it.each(good)('allows %j, as git does', async (name) => {
    expect([isBranchName(name), await gitAllows(name)]).toEqual([true, true]);
  });

  it.each(bad)('refuses %j', (name) => {
    expect(isBranchName(name)).toBe(false);
  });

  it('refuses everything that git refuses', async () => {
    // Longer than we allow, and `@` and `HEAD`, are names git lets pass in one place or another.
    for (const name of bad.filter((each) => each.length < 200 && each !== '@' && each !== 'HEAD' && each !== '')) {
      expect([name, await gitAllows(name)]).toEqual([name, false]);
    }
  });
});

async function gitAllows(name: string): Promise<boolean> {
  const { exitCode } = await run(['git', 'check-ref-format', '--branch', name], {
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  });
  return exitCode === 0;
}
