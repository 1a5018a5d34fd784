import { describe, expect, it } from 'vitest';
import { searchDocs } from './search-docs.ts';

const uris = (query: string) => searchDocs(query, 5).results.map(({ uri }) => uri);

describe('searching the documentation', () => {
  it.each([
    ['custom domain certificate', 'lilac://docs/domains'],
    ['what does error CF001 mean', 'lilac://docs/reference/errors'],
    ['LILAC_RATE_LIMIT', 'lilac://docs/reference/configuration'],
    ['restore a database from a backup', 'lilac://docs/databases'],
  ])('finds the page for "%s"', (query, page) => expect(uris(query)).toContain(page));

  it('finds an endpoint by its name', () => {
    const { results } = searchDocs('endpoint deployments.rollback', 3);
    expect(results.map(({ title }) => title)).toContain('API endpoint deployments.rollback');
  });

  it('is short, and says how much more there is', () => {
    const { results, matches } = searchDocs('deployment', 3);
    expect(results).toHaveLength(3);
    expect(matches).toBeGreaterThan(3);
    for (const { excerpt } of results) expect(excerpt.length).toBeLessThan(800);
    expect(searchDocs('xyzzyplugh', 3)).toEqual({ results: [], matches: 0 });
  });
});
