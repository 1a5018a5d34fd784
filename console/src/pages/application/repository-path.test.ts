import { describe, expect, it } from 'vitest';
import { repositoryName, repositoryPath } from './repository-path.ts';

describe('the repository of an address', () => {
  it.each([
    ['https://github.com/acme/shop', 'acme', 'shop'],
    ['https://github.com/acme/shop.git', 'acme', 'shop'],
    ['https://gitlab.example.org/group/inner/shop/', 'group/inner', 'shop'],
    ['http://localhost:3000/acme/shop', 'acme', 'shop'],
    ['git@github.com:acme/shop.git', 'acme', 'shop'],
  ])('of %s is named', (url, owner, repo) => {
    expect(repositoryPath(url)).toEqual({ owner, repo });
  });

  it.each([null, '', 'https://github.com', 'https://github.com/acme', 'shop'])('is unknown of %s', (url) => {
    expect(repositoryPath(url)).toBeNull();
  });

  it('is called by its path, or by the whole address', () => {
    expect(repositoryName('https://github.com/acme/shop.git')).toBe('acme/shop');
    expect(repositoryName('https://github.com')).toBe('https://github.com');
  });
});
