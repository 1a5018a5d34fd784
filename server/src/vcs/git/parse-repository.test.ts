import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { parseRepository } from './parse-repository.ts';

const config = readConfig({ LILAC_HOME: '/tmp/x' });
const own = readConfig({
  LILAC_HOME: '/tmp/x',
  LILAC_VCS_URL: 'http://git.internal:3000/git/',
  LILAC_PROVIDER2_URL: 'http://git.internal:3000/git',
  LILAC_PROVIDER3_URL: 'https://code.example.org',
});

describe('parseRepository', () => {
  it.each([
    ['https://github.com/acme/site', 'provider1', 'acme', 'site', 'https://github.com/acme/site.git'],
    ['https://github.com/acme/site.git', 'provider1', 'acme', 'site', 'https://github.com/acme/site.git'],
    ['https://github.com/acme/site/', 'provider1', 'acme', 'site', 'https://github.com/acme/site.git'],
    ['HTTPS://GitHub.com:443/acme/.github', 'provider1', 'acme', '.github', 'https://github.com/acme/.github.git'],
    ['https://gitlab.com/a/b/c/d', 'provider2', 'a/b/c', 'd', 'https://gitlab.com/a/b/c/d.git'],
    ['https://bitbucket.org/acme/site_1', 'provider3', 'acme', 'site_1', 'https://bitbucket.org/acme/site_1.git'],
  ])('%s is of %s', (url, provider, owner, name, git) => {
    expect(parseRepository(config, { url })).toEqual({ provider, owner, name, url: git, credential: null });
  });

  it('knows base URLs with a port and a path; of two providers at one address the first wins, unless named', () => {
    const url = 'http://git.internal:3000/git/acme/site';
    expect(parseRepository(own, { url })).toMatchObject({ provider: 'provider1', url: `${url}.git` });
    expect(parseRepository(own, { url, provider: 'provider2' })).toMatchObject({
      provider: 'provider2',
      url: `${url}.git`,
    });
  });

  it('takes an owner and a name, of the first host unless another is named', () => {
    expect(parseRepository(config, { owner: 'acme', repo: 'site' }).url).toBe('https://github.com/acme/site.git');
    const nested = { owner: 'acme/team', repo: 'site', provider: 'provider2' } as const;
    expect(parseRepository(config, nested).url).toBe('https://gitlab.com/acme/team/site.git');
  });

  it.each([
    'acme/site',
    'git@github.com:acme/site.git',
    'ssh://git@github.com/acme/site',
    'git://github.com/acme/site',
    'file:///etc/passwd',
    'ext::sh -c id',
    '--upload-pack=id',
    'http://github.com/acme/site',
    'https://github.com:8443/acme/site',
    'https://github.com.evil.org/acme/site',
    'https://github.com@evil.org/acme/site',
    'https://user:secret@github.com/acme/site',
    'https://evil.org/acme/site',
    'https://github.com/acme',
    'https://github.com/',
    'https://github.com/acme/site/extra',
    'https://github.com/acme/site?x=1',
    'https://github.com/acme/site?',
    'https://github.com/acme/site#readme',
    'https://github.com/acme/../site',
    'https://github.com/acme/.git',
    'https://github.com/acme/si%2Fte',
    'https://github.com/acme//site',
    'https://github.com/acme/a b',
    'https://git.internal:3000/git/acme/site',
  ])('400 VA001 for %s', (url) => {
    expect(() => parseRepository(config, { url })).toThrow(expect.objectContaining({ code: 'VA001' }));
  });

  it.each([
    ['a/b', 'c'],
    ['..', 'c'],
    ['a', '..'],
    ['-x', 'y z'],
    ['a', 'b?c'],
    ['a', 'b/c'],
    ['', 'b'],
  ])('400 VA001 for owner %j with repository %j', (owner, repo) => {
    expect(() => parseRepository(config, { owner, repo })).toThrow(expect.objectContaining({ code: 'VA001' }));
  });

  it('says where repositories may be, and keeps a password that was in the address to itself', () => {
    const hosts = 'Repositories may be at https://github.com, https://gitlab.com, https://bitbucket.org.';
    expect(() => parseRepository(config, { url: 'https://evil.org/a/b' })).toThrow(hosts);
    expect(() => parseRepository(config, { url: 'git@github.com:a/b' })).toThrow(hosts);
    expect(() => parseRepository(config, { url: 'https://u:secret@github.com/a/b' })).toThrow(
      /^(?!.*secret).*Leave the user name and password out/,
    );
  });

  it('says what to leave out of the address of a page', () => {
    expect(() => parseRepository(config, { url: 'https://github.com/acme/site/tree/feature/x' })).toThrow(
      'Leave out "/tree/feature/x"',
    );
    expect(() => parseRepository(config, { url: 'https://gitlab.com/acme/team/site/-/tree/main' })).toThrow(
      'Leave out "/-/tree/main"',
    );
  });

  it('400 VA001 for a provider that contradicts the address', () => {
    const contradiction = { url: 'https://gitlab.com/a/b', provider: 'provider1' } as const;
    expect(() => parseRepository(config, contradiction)).toThrow(
      'gitProvider is provider1, but https://gitlab.com is provider2',
    );
  });
});
