import { describe, expect, it } from 'vitest';
import { readCorpusRequests } from './corpus-requests.ts';
import { readCorpus } from './fuzz-settings.ts';

describe('the corpus', () => {
  it.each(['api', 'archives', 'databases', 'edge', 'logs', 'objects', 'webhooks'])('has something for %s', (part) => {
    expect(readCorpus(part).length).toBeGreaterThan(5);
  });
});

describe('a request of it', () => {
  const kept = readCorpusRequests('databases').find(({ name }) => name === 'nested-parameter')!;

  it('is as deep as it says, and about what is there', () => {
    const { endpoint, body } = kept.requestFor({ targetOrganisationId: 'org_1', databaseId: 'db_1' });
    expect({ endpoint, body }).toEqual({
      endpoint: 'databases.explorer.query',
      body: expect.stringContaining(`[${'['.repeat(10_000)}${']'.repeat(10_000)}]`) as string,
    });
    expect(JSON.parse(body!)).toMatchObject({ targetOrganisationId: 'org_1', databaseId: 'db_1' });
  });

  it('is not sent where what it names is not known', () => {
    expect(() => kept.requestFor({ targetOrganisationId: 'org_1' })).toThrow(/databaseId/);
  });
});
