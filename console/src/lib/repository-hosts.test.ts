import { describe, expect, it } from 'vitest';
import { nameHost, readRepositoryAddress, type RepositoryHost } from './repository-hosts.ts';

const host = (id: RepositoryHost['id'], url: string): RepositoryHost => ({ id, url, enabled: true, configured: true });
const hosts = [
  host('provider1', 'https://github.com'),
  host('provider2', 'https://example.org/gitlab'),
  host('provider3', 'http://localhost:7990'),
];

describe('the address of a repository', () => {
  it.each(['https://github.com/acme/shop', 'github.com/acme/shop.git', ' HTTPS://GitHub.com/acme/shop/ '])(
    '%s',
    (typed) => {
      expect(readRepositoryAddress(typed, hosts)).toEqual({
        provider: 'provider1',
        owner: 'acme',
        repo: 'shop',
        url: 'https://github.com/acme/shop',
      });
    },
  );

  it('keeps the groups of groups, below a host that is below a path', () => {
    expect(readRepositoryAddress('https://example.org/gitlab/a/b/c', hosts)).toMatchObject({
      provider: 'provider2',
      owner: 'a/b',
      repo: 'c',
    });
  });

  it('keeps the scheme of the host', () => {
    expect(readRepositoryAddress('localhost:7990/a/b', hosts)).toMatchObject({ url: 'http://localhost:7990/a/b' });
  });

  it('says what is wrong with others', () => {
    expect(readRepositoryAddress('https://elsewhere.org/a/b', hosts)).toContain('https://github.com');
    expect(readRepositoryAddress('https://github.com/acme', hosts)).toContain('owner/name');
    expect(readRepositoryAddress('https://github.com/a/b?tab=readme', hosts)).toContain('owner/name');
    expect(readRepositoryAddress('git@github.com:a/b', hosts)).toContain('may be at');
  });
});

describe('the name of a host', () => {
  it('says where it is, unless everybody knows', () => {
    expect(hosts.map((each) => nameHost(each))).toEqual([
      'GitHub',
      'GitLab (example.org)',
      'Bitbucket (localhost:7990)',
    ]);
  });
});
