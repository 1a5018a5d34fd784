import { expect, it } from 'vitest';
import { StatementRefused } from '../../../engines/explorer.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createApiKey, createMember, createOwner } from '../../../testing/factories.ts';
import { createDatabasesBench } from '../testing/databases-bench.ts';
import { createExplore } from './open-explorer.ts';

const refused = [
  'cannot execute INSERT in a read-only transaction.',
  "INSERT command denied to user 'ada'@'localhost' for table `shop`.`t`.",
  'The MariaDB server is running with the --read-only option so it cannot execute this statement.',
];

it('says why writes are refused where the storage is nearly used up, and only there', async () => {
  await using bench = await createDatabasesBench();
  const { id: databaseId } = await bench.create();
  let words = '';
  const { postgresql } = bench.engines;
  const explorer = { ...postgresql.explorer({} as never), query: () => Promise.reject(new StatementRefused(words)) };
  postgresql.explorer = () => explorer;
  const answerOf = async (columns: { is_full: boolean }) => {
    const row = { status: 'degraded', ...columns } as const;
    await bench.api.store.db.updateTable('databases').set(row).where('id', '=', databaseId).execute();
    const body = { databaseId, statement: 'insert', readOnly: false };
    return (await bench.call('/api/databases/explorer/query', body)).body;
  };
  for (words of refused) {
    expect(await answerOf({ is_full: true })).toMatchObject({
      code: 'DB001',
      message: expect.stringContaining('10 GB'),
    });
    expect(await answerOf({ is_full: false })).toMatchObject({ code: 'DB001', message: words });
  }
  words = 'relation "t" does not exist.';
  expect(await answerOf({ is_full: true })).toMatchObject({ message: words });
});

it('409 during an import into MySQL, for reading and writing, also where it began after the statement came', async () => {
  await using bench = await createDatabasesBench();
  const [mysql, postgresql] = [await bench.create({ databaseType: 'mysql' }), await bench.create()];
  const put = async (columns: { status: 'healthy' | 'updating'; step: 'settled' | 'importing' }) => {
    await bench.api.store.db.updateTable('databases').set(columns).execute();
  };
  const answerOf = (databaseId: string, readOnly: boolean) =>
    bench.call('/api/databases/explorer/query', { databaseId, statement: 'select 1', readOnly });
  await put({ status: 'updating', step: 'importing' });
  const refusal = { status: 409, body: { message: expect.stringContaining('import') as string } };
  expect(await answerOf(mysql.id, false)).toMatchObject(refusal);
  expect(await answerOf(mysql.id, true)).toMatchObject(refusal);
  expect(await answerOf(postgresql.id, false)).toMatchObject({ status: 200 });
  await put({ status: 'healthy', step: 'settled' });
  const explorer = bench.engines.mysql.explorer({} as never);
  bench.engines.mysql.explorer = (access) => ({
    ...explorer,
    async query() {
      await put({ status: 'updating', step: 'importing' });
      await access.onceIn?.();
      throw new Error('It was let through.');
    },
  });
  expect(await answerOf(mysql.id, false)).toMatchObject(refusal);
});

it('runs statements that may write for nobody who only reads, and those that cannot for everybody', async () => {
  await using bench = await createDatabasesBench();
  const { api, owner } = bench;
  const { id: databaseId } = await bench.create();
  await api.store.db.updateTable('databases').set({ status: 'healthy', step: 'settled' }).execute();
  const run = (token: string, readOnly: boolean) =>
    api.call('/api/databases/explorer/query', {
      token,
      body: { targetOrganisationId: owner.organisationId, databaseId, statement: 'select 1', readOnly },
    });
  const readers = [
    (await createMember(api, { ...owner, role: 'user' })).token,
    (await createApiKey(api, { ...owner, role: 'user' })).secret,
  ];
  const writers = [
    owner.token,
    (await createMember(api, { ...owner, role: 'admin' })).token,
    (await createApiKey(api, { ...owner, role: 'admin' })).secret,
  ];
  const asked: boolean[] = [];
  const { postgresql } = bench.engines;
  const explorer = postgresql.explorer({} as never);
  postgresql.explorer = () => ({
    ...explorer,
    query: (statement, signal) => (asked.push(statement.readOnly), explorer.query(statement, signal)),
  });
  for (const token of readers) {
    expect(await run(token, false)).toMatchObject({ status: 403, body: { code: 'CA005' } });
    expect(await run(token, true)).toMatchObject({ status: 200 });
  }
  expect(asked).toEqual([true, true]);
  for (const token of writers) expect(await run(token, false)).toMatchObject({ status: 200 });
});

it('runs a few statements of an organisation at a time, over all its databases, and those of others beside them', async () => {
  await using bench = await createDatabasesBench();
  const { api, engines } = bench;
  const other = await createOwner(api);
  const mine = [await bench.create(), await bench.create(), await bench.create()];
  const { body } = await bench.call('/api/databases/create', { name: 'Shop' }, other);
  await api.store.db.updateTable('databases').set({ status: 'healthy', step: 'settled' }).execute();
  const databases = await Promise.all(mine.map(({ id }) => bench.read(id)));
  const others = await bench.read(body.id as string);
  const explore = createExplore({ store: api.store, keyring: api.keyring, engines });
  const ending = Promise.withResolvers<void>();
  let begun = 0;
  const running = databases.flatMap((database) =>
    Array.from({ length: 4 }, () => explore.inTurn(database, () => (begun++, ending.promise))),
  );
  await eventually('as many run as may', () => begun >= 8);
  for (let times = 0; times < 20; times++) expect(await explore.inTurn(others, () => Promise.resolve(7))).toBe(7);
  expect(begun).toBe(8);
  ending.resolve();
  await Promise.all(running);
  expect(begun).toBe(12);
});
