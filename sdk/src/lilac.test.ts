import { describe, expect, expectTypeOf, it } from 'vitest';
import { createLilac, hasCode, isConflict, isNotFound, type Item } from './lilac.ts';
import { refusal, startFakePlatform } from './testing/start-fake-platform.ts';

/** Applications by their numbers, in pages of two; the list may change before each page. */
function pagesOf(lists: number[][]) {
  return ({ body }: { body: Record<string, unknown> }) => {
    const list = lists.length > 1 ? lists.shift()! : lists[0]!;
    const page = body['page'] as number;
    const items = list.slice((page - 1) * 2, page * 2).map((number) => ({ id: `app_${number}` }));
    return { json: { items, totalItems: list.length, totalPages: Math.ceil(list.length / 2), currentPage: page } };
  };
}

describe('createLilac', () => {
  it('gives every item over all pages, and one that moved to the next page once', async () => {
    await using platform = await startFakePlatform({
      '/api/applications': pagesOf([
        [5, 4, 3, 2, 1],
        [6, 5, 4, 3, 2, 1],
      ]),
    });
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    const ids: string[] = [];
    for await (const { id } of lilac.items('applications.list', { body: { filter: 'shop' } })) ids.push(id);
    expect(ids).toEqual(['app_5', 'app_4', 'app_3', 'app_2', 'app_1']);
    expect(platform.asked.map(({ body }) => body)).toEqual(
      [1, 2, 3].map((page) => ({ limit: 100, filter: 'shop', page })),
    );
  });

  it('asks for no page that nobody wants, and ends after an empty one', async () => {
    await using platform = await startFakePlatform({
      '/api/applications': pagesOf([[]]),
      '/api/projects': pagesOf([[3, 2, 1]]),
    });
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    for await (const page of lilac.pages('applications.list')) expect(page.items).toEqual([]);
    for await (const _ of lilac.items('projects.list')) break;
    expect(platform.asked).toHaveLength(2);
  });

  it('has every endpoint as a method, typed as the call is', async () => {
    await using platform = await startFakePlatform({
      '/api/applications/detect-framework': () => ({ json: { framework: 'astro' } }),
      '/api/databases/explorer/schema': () => ({ json: { tables: [] } }),
    });
    const { api, ...lilac } = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    const body = { owner: 'lilac', repo: 'shop', branch: 'main' };
    const detected = await api.applications.detectFramework({ body });
    expect(detected).toEqual({ framework: 'astro' });
    expect(await api.databases.explorerSchema({ body: { databaseId: 'db_1' } })).toEqual({ tables: [] });
    expectTypeOf(detected).toEqualTypeOf<Awaited<ReturnType<typeof lilac.call<'applications.detect-framework'>>>>();
    expectTypeOf(api.deployments).not.toHaveProperty('stream');
    expectTypeOf<Item<'databases.list'>['database_type']>().toEqualTypeOf<'postgresql' | 'mysql'>();
    // @ts-expect-error a list that has no pages
    void (() => createLilac({ baseUrl: '' }).pages('environments.list', { body: { applicationId: 'app_1' } }));
  });

  it('tells refusals apart by guards', async () => {
    await using platform = await startFakePlatform({
      '/api/applications/get': () => refusal(404, 'NF001'),
      '/api/projects/create': () => refusal(409, 'CF001'),
    });
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    const missing: unknown = await lilac.api.applications
      .get({ body: { applicationId: 'x' } })
      .catch((e: unknown) => e);
    const taken: unknown = await lilac.api.projects.create({ body: { name: 'x' } }).catch((e: unknown) => e);
    expect([isNotFound(missing), isConflict(missing), hasCode(missing, 'NF001', 'CF001')]).toEqual([true, false, true]);
    expect([isNotFound(taken), isConflict(taken), hasCode(taken, 'NF001')]).toEqual([false, true, false]);
  });

  it.each(['lilac.example.org', 'ftp://x', 'https://lilac.example.org/api'])('refuses %s as an address', (baseUrl) => {
    expect(() => createLilac({ baseUrl })).toThrow('baseUrl');
  });
});
