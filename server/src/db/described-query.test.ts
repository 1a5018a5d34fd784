import { expect, it, vi } from 'vitest';
import { createTestStore } from '../testing/test-store.ts';
import { queryDescribed } from './described-query.ts';

const statement = { name: 'described-test', text: 'select $1::int as number, $2::text as word, now() as at' };

it('has the columns of a named statement described once per connection, and reads its rows as ever', async () => {
  await using store = await createTestStore();
  const client = await store.pool.connect();
  try {
    const { connection } = client as unknown as { connection: { describe(): void } };
    const describe = vi.spyOn(Object.getPrototypeOf(connection) as { describe(): void }, 'describe');
    const first = await queryDescribed(client, { ...statement, values: [1, 'one'] });
    const second = await queryDescribed(client, { ...statement, values: [2, null] });
    const list = await queryDescribed(client, { ...statement, values: [3, 'three'], rowMode: 'array' });
    expect(describe).toHaveBeenCalledTimes(1);
    expect(first.rows).toEqual([{ number: 1, word: 'one', at: expect.any(Date) as Date }]);
    expect(second.rows).toEqual([{ number: 2, word: null, at: expect.any(Date) as Date }]);
    expect(list.rows).toEqual([[3, 'three', expect.any(Date) as Date]]);
    expect(second.fields.map(({ name }) => name)).toEqual(['number', 'word', 'at']);
    await client.query('select 1');
    await client.query({ text: 'select $1::int as n', values: [1] });
    expect(describe).toHaveBeenCalledTimes(2);
  } finally {
    client.release();
  }
});

it('goes on after a statement that failed, and after one that cannot be sent', async () => {
  await using store = await createTestStore();
  const divide = { name: 'described-divide', text: 'select 10 / $1::int as quotient' };
  const run = (values: unknown[]) => queryDescribed(store.pool, { ...divide, values });
  expect((await run([5])).rows).toEqual([{ quotient: 2 }]);
  await expect(run([0])).rejects.toMatchObject({ code: '22012' });
  const unsendable = {
    toPostgres: () => {
      throw new Error('no such value');
    },
  };
  await expect(run([unsendable])).rejects.toThrow('no such value');
  expect((await run([2])).rows).toEqual([{ quotient: 5 }]);
});

it('is told by the server where the columns are others than before', async () => {
  await using store = await createTestStore();
  const client = await store.pool.connect();
  try {
    await client.query('create temporary table changing (a int)');
    await client.query('insert into changing values (1)');
    const all = { name: 'described-changing', text: 'select * from changing where a = $1', values: [1] };
    expect((await queryDescribed(client, all)).rows).toEqual([{ a: 1 }]);
    await client.query('alter table changing add column b text');
    await expect(queryDescribed(client, all)).rejects.toThrow('cached plan must not change result type');
  } finally {
    client.release(true);
  }
});
