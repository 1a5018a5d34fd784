import { describe, expect, it } from 'vitest';
import { commitUrl, compareUrl } from './commit-links.ts';

const github = { git_provider: 'provider1', vcs_repo_url: 'https://github.com/acme/shop' } as const;
const gitlab = { git_provider: 'provider2', vcs_repo_url: 'https://gitlab.example.org/acme/web/shop.git' } as const;
const bitbucket = { git_provider: 'provider3', vcs_repo_url: 'https://bitbucket.org/acme/shop/' } as const;

describe("a commit's page at its host", () => {
  it.each([
    [github, 'https://github.com/acme/shop/commit/abc'],
    [gitlab, 'https://gitlab.example.org/acme/web/shop/-/commit/abc'],
    [bitbucket, 'https://bitbucket.org/acme/shop/commits/abc'],
  ])('%o', (place, url) => {
    expect(commitUrl(place, 'abc')).toBe(url);
  });

  it('there is none without a repository, nor where a browser should not go', () => {
    expect(commitUrl({ ...github, vcs_repo_url: null }, 'abc')).toBeNull();
    expect(commitUrl({ ...github, vcs_repo_url: 'javascript:alert(1)//' }, 'abc')).toBeNull();
  });
});

describe('what is between two commits', () => {
  it.each([
    [github, 'https://github.com/acme/shop/compare/old...new'],
    [gitlab, 'https://gitlab.example.org/acme/web/shop/-/compare/old...new'],
    [bitbucket, 'https://bitbucket.org/acme/shop/branches/compare/new..old'],
  ])('%o', (place, url) => {
    expect(compareUrl(place, { from: 'old', to: 'new' })).toBe(url);
  });

  it('is nothing where both are the same', () => {
    expect(compareUrl(github, { from: 'abc', to: 'abc' })).toBeNull();
  });
});
