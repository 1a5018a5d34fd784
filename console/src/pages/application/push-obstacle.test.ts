import { describe, expect, it } from 'vitest';
import { type LinkedAccount, pushObstacle } from './push-obstacle.ts';

const host = { id: 'provider1', url: 'https://github.com', enabled: true, configured: true } as const;
const open = { git_provider: 'provider1', vcs_repo_url: 'https://github.com/Acme/shop', is_private: false } as const;
const account = (login: string, isUsable = true): LinkedAccount => ({ login, isUsable });

describe('pushes are heard', () => {
  it.each([
    ['of an account that has the app', open, [account('other'), account('acme')]],
    ['of a private repository, whatever its account is called by now', { ...open, is_private: true }, [account('new')]],
    ['by anybody’s connection at the other hosts', { ...open, git_provider: 'provider2' as const }, [account('ada')]],
  ])('%s', (_name, source, accounts) => {
    expect(pushObstacle(source, { host, accounts })).toBeNull();
  });
});

describe('pushes are not heard', () => {
  const links = { host, accounts: [account('acme')] };
  it.each([
    [
      'while the host is switched off',
      { ...links, host: { ...host, enabled: false } },
      /^GitHub is switched off/,
      false,
    ],
    ['while it is not set up', { ...links, host: { ...host, configured: false } }, /^GitHub is not set up/, true],
    [
      'while one of somebody’s own is not set up, which is told from the one that everybody knows',
      { ...links, host: { ...host, url: 'https://git.example.org', configured: false } },
      /^GitHub \(git\.example\.org\) is not set up/,
      true,
    ],
    ['of accounts that are not linked', { host, accounts: [account('other')] }, /^No account of GitHub/, true],
    ['of one that is suspended', { host, accounts: [account('acme', false)] }, /^No account of GitHub/, true],
  ])('%s', (_name, given, why, isMendable) => {
    expect(pushObstacle(open, given)).toEqual({ why: expect.stringMatching(why), isMendable });
  });
});
