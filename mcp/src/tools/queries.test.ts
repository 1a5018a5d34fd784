import { describe, expect, it } from 'vitest';
import { connectClient } from '../testing/connect-client.ts';

const ofKey = { '/api/auth/profile': { status: 403, body: { message: 'Keys are refused.', code: 'CA006' } } };
const databaseId = 'db_1';

const column = (index: number) => ({
  name: `c${index}`,
  type: 'text',
  nullable: true,
  primaryKey: false,
  generated: false,
});
const many = <Item>(length: number, make: (index: number) => Item) => Array.from({ length }, (_, index) => make(index));

describe('what is read of a database', () => {
  it('is short, however wide its tables are', async () => {
    const tables = many(20, (index) => ({
      schema: 'public',
      name: `t${index}`,
      rows: 1,
      view: false,
      columns: many(800, (each) => ({ ...column(each), default: null, references: null })),
    }));
    const row = many(1600, () => 'x'.repeat(1000));
    const answers = {
      ...ofKey,
      '/api/databases/explorer/schema': { tables },
      '/api/databases/explorer/query': {
        columns: many(1600, column),
        rows: [row, row],
        rowCount: 2,
        durationMs: 1,
        truncated: false,
      },
    };
    await using connected = await connectClient({ answers });
    const described = await connected.call('describe_database', { databaseId });
    expect(described.answer).toMatchObject({ tables: { 0: { columns_left_out: 700 } } });
    expect(described.text.length).toBeLessThan(60_000);
    const queried = await connected.call('query_database', { databaseId, statement: 'select' });
    expect(queried.answer).toMatchObject({ columns_left_out: 1500, rows_shown: 2, has_more: false });
    expect(queried.text.length).toBeLessThan(60_000);
  });

  it('says of each column what a row needs, and what the engine makes itself', async () => {
    const columns = [
      { ...column(0), primaryKey: true, nullable: false, generated: true },
      { ...column(1), nullable: false },
      { ...column(2), generated: true },
      column(3),
    ];
    const tables = [{ schema: 'public', name: 't', rows: 1, view: false, columns }];
    await using connected = await connectClient({
      answers: { ...ofKey, '/api/databases/explorer/schema': { tables } },
    });
    expect((await connected.call('describe_database', { databaseId })).answer).toMatchObject({
      tables: [{ columns: ['c0 text primary key generated', 'c1 text not null', 'c2 text generated', 'c3 text'] }],
    });
  });

  it('is refused in words that fit the tool', async () => {
    const message = 'delete is not allowed. Run it with readOnly: false to let it change something.';
    const answers = { ...ofKey, '/api/databases/explorer/query': { status: 400, body: { message, code: 'DB001' } } };
    await using connected = await connectClient({ answers });
    const { isError, text } = await connected.call('query_database', { databaseId, statement: 'delete from t' });
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining('DB001') as string });
    expect(text).not.toContain('readOnly');
    const hash = await connected.call('query_database', { databaseId, statement: 'show grants' });
    expect(hash).toMatchObject({ isError: true, text: expect.stringContaining('hash') as string });
  });
});
