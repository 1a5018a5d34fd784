import { sortColumns as lists } from '@lilac/contract/sort-columns';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestStore, type TestStore } from '../testing/test-store.ts';
import { clampPage, pageStatement, readPage, type PageRequest } from './page.ts';

const { applications: sortColumns } = lists;
const ask = (request: Partial<PageRequest> = {}): PageRequest => ({
  page: 1,
  limit: 10,
  filter: '',
  sortColumn: 'created_at',
  sortOrder: 'desc',
  ...request,
});
const list = { table: 'applications', organisationId: 'org_a', sortColumns } as const;

describe('clampPage', () => {
  it.each([
    [
      { page: 0, limit: 0 },
      { page: 1, limit: 1 },
    ],
    [
      { page: -5, limit: -1e308 },
      { page: 1, limit: 1 },
    ],
    [
      { page: 1e308, limit: Infinity },
      { page: 100_000, limit: 100 },
    ],
    [
      { page: 2.9, limit: 10.999 },
      { page: 2, limit: 10 },
    ],
    [
      { page: 0.5, limit: 100.5 },
      { page: 1, limit: 100 },
    ],
  ])('%o becomes %o', (asked, given) => {
    expect(clampPage(asked)).toEqual(given);
  });
});

describe('readPage', () => {
  it('goes through every row once, in a stable order, when all were created at the same moment', async () => {
    await using store = await createTestStore();
    await addApplications(
      store,
      'org_a',
      Array.from({ length: 25 }, (_, index) => `app ${index}`),
    );
    for (const sortOrder of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      for (const page of [1, 2, 3, 4]) {
        const got = await readPage(store.db, list, ask({ page, limit: 7, sortOrder }));
        expect(got).toMatchObject({ totalItems: 25, totalPages: 4, currentPage: page });
        seen.push(...got.items.map((item) => item.id));
      }
      const inOrder = seen.toSorted();
      expect(seen).toEqual(sortOrder === 'asc' ? inOrder : inOrder.toReversed());
      expect(new Set(seen).size).toBe(25);
    }
  });

  it('answers the true total beyond the last page, and for an organisation that has nothing', async () => {
    await using store = await createTestStore();
    await addApplications(store, 'org_a', ['one', 'two', 'three']);
    const beyond = { items: [], totalPages: 1, currentPage: 9 };
    expect(await readPage(store.db, list, ask({ page: 9 }))).toEqual({ ...beyond, totalItems: 3 });
    expect(await readPage(store.db, list, ask({ page: 9, filter: 'tw' }))).toEqual({ ...beyond, totalItems: 1 });
    const empty = { items: [], totalItems: 0, totalPages: 0, currentPage: 1 };
    expect(await readPage(store.db, { ...list, organisationId: 'org_none' }, ask())).toEqual(empty);
    expect(await readPage(store.db, { ...list, organisationId: 'org_none' }, ask({ filter: 'two' }))).toEqual(empty);
  });

  it('counts right after rows were deleted, and keeps organisations apart', async () => {
    await using store = await createTestStore();
    await addApplications(store, 'org_a', ['one', 'two', 'three']);
    await addApplications(store, 'org_b', ['one', 'four']);
    await sql`delete from applications where name in ('one', 'two')`.execute(store.db);
    expect(await namesOf(store, ask())).toEqual({ names: ['three'], totalItems: 1 });
    expect(await namesOf(store, ask({ filter: 'four' }))).toEqual({ names: [], totalItems: 0 });
  });

  it('sorts names without regard to case', async () => {
    await using store = await createTestStore();
    await addApplications(store, 'org_a', ['banana', 'Cherry', 'apple', 'Äpfel']);
    const { names } = await namesOf(store, ask({ sortColumn: 'name', sortOrder: 'asc' }));
    expect(names).toEqual(['apple', 'banana', 'Cherry', 'Äpfel']);
  });

  it.each(['id; drop table applications', 'slug', 'organisation_id', '', '__proto__'])(
    'falls back to created_at when asked to sort by %o',
    async (sortColumn) => {
      await using store = await createTestStore();
      await addApplications(store, 'org_a', ['b', 'a', 'c']);
      await sql`update applications set created_at = now() - case name
        when 'a' then interval '1 hour' when 'b' then interval '2 hours' else interval '3 hours' end`.execute(store.db);
      expect((await namesOf(store, ask({ sortColumn }))).names).toEqual(['a', 'b', 'c']);
    },
  );

  it.each([
    ['%', ['100% sure']],
    ['0% s', ['100% sure']],
    ['_', ['snake_case_name']],
    ['e_n', ['snake_case_name']],
    ['\\', ['back\\slash']],
    ['ck\\sl', ['back\\slash']],
    ['SURE', ['100% sure']],
    ['s', ['100% sure', 'back\\slash', 'snake_case_name']],
    ['ÉCOLE', ['École normale']],
    ["'; --", []],
    ['%%%', []],
    ['___', []],
  ])('takes the filter %o as plain text, whatever the case', async (filter, expected) => {
    await using store = await createTestStore();
    await addApplications(store, 'org_a', ['100% sure', 'snake_case_name', 'back\\slash', 'École normale']);
    const { names, totalItems } = await namesOf(store, ask({ filter, sortColumn: 'name', sortOrder: 'asc' }));
    expect(names).toEqual(expected);
    expect(totalItems).toBe(expected.length);
  });
});

describe('the plans of a list in a large organisation', () => {
  it('walk an index for every sort column in both directions, and search by the trigram index', async () => {
    await using store = await createTestStore();
    await addApplications(store, 'org_b', ['other']);
    await addMany(store, 'org_a', 5000);
    for (const sortColumn of sortColumns) {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const plan = await explain(store, ask({ sortColumn, sortOrder }));
        expect(plan).toMatch(
          new RegExp(`Index (Only )?Scan ${sortOrder === 'asc' ? 'Backward ' : ''}using ${indexOf[sortColumn]}`),
        );
      }
      const filtered = await explain(store, ask({ sortColumn, filter: 'name-4321' }));
      expect(filtered).toContain('Bitmap Index Scan on applications_name_search');
    }
  });
});

const indexOf: Record<(typeof sortColumns)[number], string> = {
  created_at: 'applications_created',
  updated_at: 'applications_updated',
  name: 'applications_by_name',
  status: 'applications_by_status',
};

async function explain(store: TestStore, request: PageRequest): Promise<string> {
  const { rows } = await sql<Record<'QUERY PLAN', string>>`explain ${pageStatement(list, request)}`.execute(store.db);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

async function namesOf(store: TestStore, request: PageRequest) {
  const { items, totalItems } = await readPage(store.db, list, request);
  return { names: items.map((item) => item.name), totalItems };
}

async function addApplications(store: TestStore, organisationId: string, names: readonly string[]): Promise<void> {
  await addOrganisation(store, organisationId);
  const rows = names.map((name, index) => ({
    id: `app_${organisationId}_${String(index * 7919).padStart(9, '0')}`,
    organisation_id: organisationId,
    name,
    slug: `${organisationId}-${index}`,
    deployment_type: 'static' as const,
    framework: 'react',
    source_type: 'upload' as const,
    created_at: new Date('2026-01-01T00:00:00Z'),
  }));
  await store.db.insertInto('applications').values(rows).execute();
}

async function addMany(store: TestStore, organisationId: string, count: number): Promise<void> {
  await addOrganisation(store, organisationId);
  await sql`
    insert into applications (id, organisation_id, name, slug, deployment_type, framework, source_type, created_at)
    select 'app_' || n, ${organisationId}::text, 'name-' || n, 's-' || n, 'static', 'react', 'upload',
      now() - n * interval '1 minute'
    from generate_series(1, ${count}::int) n`.execute(store.db);
  await sql`analyze applications`.execute(store.db);
}

async function addOrganisation(store: TestStore, id: string): Promise<void> {
  await store.db.insertInto('organisations').values({ id, name: id, slug: id, plan: 'pro' }).execute();
}
