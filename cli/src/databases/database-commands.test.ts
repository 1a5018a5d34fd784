import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

async function startWithDatabase(answers: Parameters<typeof startPlatformDouble>[0] = {}) {
  const platform = await startPlatformDouble({
    '/api/databases/get': { body: { id: 'db_1', name: 'Shop' } },
    '/api/databases/delete': { body: { message: 'Database deletion started.' } },
    ...answers,
  });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
  const sentTo = (path: string) => platform.received.filter((one) => one.path === path).map(({ body }) => body);
  return { environment, sentTo, [Symbol.dispose]: () => platform[Symbol.dispose]() };
}

describe('lilac db delete', () => {
  const path = '/api/databases/delete';

  it('asks a person for the name, and deletes what was named', async () => {
    using platform = await startWithDatabase();
    const asked = await lilac('db delete db_1', platform.environment, { isTerminal: true, typed: ['Shop'] });
    expect(asked).toMatchObject({ exitCode: 0, out: 'Message:  Database deletion started.\n' });
    expect(asked.err).toBe('This deletes Shop (db_1) with its data and backups, for good.\nType its name to go on: ');
    expect(platform.sentTo(path)).toEqual([{ databaseId: 'db_1' }]);
  });

  it.each(['', 'y', 'shop', 'db_1'])('deletes nothing when "%s" is typed', async (typed) => {
    using platform = await startWithDatabase();
    const asked = await lilac('db delete db_1', platform.environment, { isTerminal: true, typed: [typed] });
    expect(asked).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining('Nothing was deleted.') });
    expect(platform.sentTo(path)).toEqual([]);
  });

  it('needs --yes where nobody can be asked, and asks nobody with it', async () => {
    using platform = await startWithDatabase();
    const refused = await lilac('db delete db_1', platform.environment);
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining('Add --yes') });
    expect(platform.sentTo(path)).toEqual([]);
    for (const isTerminal of [false, true]) {
      const done = await lilac('db delete db_1 --yes', platform.environment, { isTerminal });
      expect(done).toMatchObject({ exitCode: 0, err: '' });
    }
    expect(platform.sentTo(path)).toEqual([{ databaseId: 'db_1' }, { databaseId: 'db_1' }]);
  });
});

describe('lilac db delete --force', () => {
  it('says that environments may lose it, and asks for the name all the same', async () => {
    using platform = await startWithDatabase();
    await lilac('db delete db_1 --force', platform.environment, { isTerminal: true, typed: ['Shop'] });
    expect(platform.sentTo('/api/databases/get')).toEqual([{ databaseId: 'db_1' }]);
    expect(platform.sentTo('/api/databases/delete')).toEqual([{ databaseId: 'db_1', force: true }]);
  });
});

const ofServer = (query: string) => `postgresql://lilac:secret@db.example:15000/shop${query}`;

const startWithUrl = (query: string) =>
  startWithDatabase({ '/api/databases/connection-string': { body: { connectionString: ofServer(query) } } });

describe('lilac db url', () => {
  it('tells a person how node-postgres takes it, and nobody else', async () => {
    using platform = await startWithUrl('?sslmode=require');
    const shown = await lilac('db url db_1', platform.environment, { isTerminal: true });
    const hint = 'For node-postgres (pg): lilac db url db_1 --node\n';
    expect(shown).toMatchObject({ exitCode: 0, out: `${ofServer('?sslmode=require')}\n`, err: hint });
    expect(await lilac('db url db_1', platform.environment)).toMatchObject({ err: '' });
    const forNode = await lilac('db url db_1 --node', platform.environment, { isTerminal: true });
    expect(forNode).toMatchObject({ exitCode: 0, out: `${ofServer('?sslmode=no-verify')}\n`, err: '' });
  });

  it('has nothing to add where nobody is asked to encrypt', async () => {
    using platform = await startWithUrl('');
    const shown = await lilac('db url db_1 --node', platform.environment, { isTerminal: true });
    expect(shown).toMatchObject({ out: `${ofServer('')}\n`, err: '' });
  });
});

describe('lilac db backup', () => {
  const backup = {
    id: 'bak_1',
    database_id: 'db_1',
    automatic: false,
    status: 'waiting',
    size: null,
    error: null,
    started_at: '2026-11-15T12:00:59.100Z',
    completed_at: null,
    expires_at: null,
  };
  const ready = { ...backup, status: 'ready', size: 1_572_864, expires_at: '2026-11-22T12:00:59.100Z' };

  function start(...looks: object[][]) {
    return startWithDatabase({
      '/api/databases/backup': { body: backup },
      '/api/databases/backups': () => ({ body: looks.length > 1 ? looks.shift()! : looks[0]! }),
    });
  }

  it('ends when the backup is there, and says how large it is', async () => {
    using platform = await start([{ ...backup, status: 'writing' }], [ready]);
    const { exitCode, out } = await lilac('db backup db_1', platform.environment);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: [
        'Id:          bak_1',
        'Status:      ready',
        'Size:        1.5 MiB',
        'Started at:  2026-11-15 12:00 UTC',
        'Kept until:  2026-11-22 12:00 UTC',
        'Made:        by hand',
        '',
      ].join('\n'),
    });
    expect(platform.sentTo('/api/databases/backups')).toHaveLength(2);
    expect(JSON.parse((await lilac('db backup db_1 --json', platform.environment)).out)).toEqual(ready);
  });

  it('1 and the reason where it fails, or its database is deleted', async () => {
    using failing = await start([{ ...backup, status: 'failed', error: 'The disk is full.' }]);
    const failed = await lilac('db backup db_1', failing.environment);
    expect(failed).toMatchObject({ exitCode: 1, out: '', err: 'lilac: The backup failed: The disk is full.\n' });
    using gone = await start([]);
    expect(await lilac('db backup db_1', gone.environment)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('deleted meanwhile'),
    });
  });

  it('returns at once with --no-wait', async () => {
    using platform = await start([ready]);
    const { exitCode, out } = await lilac('db backup db_1 --no-wait', platform.environment);
    expect(exitCode).toBe(0);
    expect(out).toContain('Status:      waiting\n');
    expect(platform.sentTo('/api/databases/backup')).toEqual([{ databaseId: 'db_1' }]);
    expect(platform.sentTo('/api/databases/backups')).toEqual([]);
  });
});

describe('lilac envs get', () => {
  const environment = { id: 'env_1', name: 'production', environment_vars: { A: '1' } };
  const connected = { database_id: 'db_1', environment_id: 'env_1', name: 'Shop', status: 'healthy' };

  it('shows whose addresses the environment is given', async () => {
    using platform = await startWithDatabase({
      '/api/environments/get': { body: environment },
      '/api/environments/databases': { body: [{ ...connected, variable: 'DATABASE_URL' }] },
    });
    const { exitCode, out } = await lilac('envs get env_1', platform.environment);
    expect(exitCode).toBe(0);
    expect(out).toContain('Environment vars\n  A  1\n');
    expect(out).toMatch(/Databases\n {2}NAME +VARIABLE +DATABASE ID\n {2}Shop +DATABASE_URL +db_1\n$/);
    const { databases } = JSON.parse((await lilac('envs get env_1 --json', platform.environment)).out) as {
      databases: unknown;
    };
    expect(databases).toEqual([{ variable: 'DATABASE_URL', database_id: 'db_1', name: 'Shop' }]);
  });

  it('shows it all the same where databases cannot be read', async () => {
    using platform = await startWithDatabase({
      '/api/environments/get': { body: environment },
      '/api/environments/databases': { status: 500, body: { code: 'SV001', message: 'Something went wrong.' } },
    });
    const { exitCode, out, err } = await lilac('envs get env_1', platform.environment);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: 'Its databases could not be read: Something went wrong.\n' });
    expect(out).toContain('env_1');
  });
});

describe('lilac orgs activity', () => {
  it('tells a key what it may read instead', async () => {
    const refusal = { code: 'CA006', message: 'This endpoint needs a signed-in person; API keys are refused.' };
    using platform = await startWithDatabase({ '/api/organisations/activity': { status: 403, body: refusal } });
    const { exitCode, err } = await lilac('orgs activity', platform.environment);
    expect(exitCode).toBe(1);
    expect(err).toContain('What was done to one environment, keys may read: "lilac envs activity".\n');
    expect(err).toContain('sign in with "lilac login"');
  });
});

describe('what databases answer', () => {
  const connectionString = 'postgresql://lilac:secret@db.example:15000/shop';

  it.each([
    ['db url db_1', '/api/databases/connection-string'],
    ['db rotate db_1', '/api/databases/rotate-password'],
  ])('is the bare string for "lilac %s", and the object with --json', async (line, path) => {
    using platform = await startWithDatabase({ [path]: { body: { connectionString } } });
    expect((await lilac(line, platform.environment)).out).toBe(`${connectionString}\n`);
    expect(JSON.parse((await lilac(`${line} --json`, platform.environment)).out)).toEqual({ connectionString });
  });

  it('says what each database is in a line of 80 characters, and more of one', async () => {
    const database = {
      id: 'db_01m7h8srntrt720zpreea40ny5',
      name: 'Shop',
      database_type: 'postgresql',
      version: '18',
      tier: 'db-f1-micro',
      region: 'local',
      storage_gb: 10,
      ha_enabled: false,
      public_ip_enabled: true,
      authorized_networks: [],
      project_id: null,
      status: 'healthy',
      error: null,
      created_at: '2026-11-15T12:00:59.100Z',
    };
    const page = { items: [database], totalItems: 1, totalPages: 1, currentPage: 1 };
    using platform = await startWithDatabase({
      '/api/databases': { body: page },
      '/api/databases/get': { body: { ...database, public_ip_enabled: false } },
    });
    const list = await lilac('db list', platform.environment, { width: 80 });
    expect(list.out.split('\n').slice(0, 2)).toEqual([
      'ID                             NAME  STATUS   ENGINE         TIER         SIZE',
      'db_01m7h8srntrt720zpreea40ny5  Shop  healthy  postgresql 18  db-f1-micro  10 GB',
    ]);
    const one = await lilac('db get db_1', platform.environment, { width: 80 });
    expect(one.out).toContain("Reached from:  the organisation's own applications\n");
    expect(one.out).not.toMatch(/Error|: +-$/m);
  });

  it('keeps names and values of rows as the database has them', async () => {
    const items = [
      { Customer_Id: 7, id: 1, paid: true, tags: ['a', 'b'], note: null, at: '2026-11-15T12:00:59.100Z' },
      { Customer_Id: 12, id: 2, paid: false, tags: [], note: 'a\u001b[2J\nb', at: null },
    ];
    const body = { items, totalItems: 4, totalPages: 2, currentPage: 1 };
    using platform = await startWithDatabase({ '/api/databases/explorer/rows': { body } });
    expect((await lilac('db rows db_1 orders', platform.environment)).out).toBe(
      [
        'Customer_Id  id  paid   tags       note  at',
        '7            1   true   ["a","b"]  NULL  2026-11-15T12:00:59.100Z',
        '12           2   false  []         a b   NULL',
        '',
        'Page 1 of 2, 4 in all.',
        '',
      ].join('\n'),
    );
  });

  const columns = [
    { name: 'id', type: 'int4' },
    { name: 'id', type: 'text' },
  ];

  it.each([
    [
      {
        columns,
        rows: [
          [1, 'a, b'],
          [2, null],
        ],
        rowCount: 2,
        durationMs: 43.2,
        truncated: false,
      },
      'id  id\n1   a, b\n2   NULL\n\n2 rows, 43 ms\n',
    ],
    [
      { columns, rows: [[1, 'x']], rowCount: 1, durationMs: 5, truncated: true },
      'id  id\n1   x\n\n1 row, 5 ms; more rows were left out\n',
    ],
    [{ columns, rows: [], rowCount: 0, durationMs: 0.4, truncated: false }, 'id  id\n\n0 rows, 0 ms\n'],
    [{ columns: [], rows: [], rowCount: 1, durationMs: 5, truncated: false }, '1 row changed, 5 ms\n'],
  ])('shows the outcome of a statement as a table and what it took: %#', async (body, expected) => {
    using platform = await startWithDatabase({ '/api/databases/explorer/query': { body } });
    expect((await lilac(['db', 'query', 'db_1', 'select'], platform.environment)).out).toBe(expected);
  });

  it('cuts long values before it leaves out columns, and says where it had to', async () => {
    const named = ['a', 'b', 'c'].map((name) => ({ name, type: 'text' }));
    const rows = [['x'.repeat(50), 'y'.repeat(50), 'z']];
    const body = { columns: named, rows, rowCount: 1, durationMs: 1, truncated: false };
    using platform = await startWithDatabase({ '/api/databases/explorer/query': { body } });
    const query = async (width: number) =>
      (await lilac(['db', 'query', 'db_1', 'select'], platform.environment, { width })).out.split('\n');
    expect((await query(200))[1]).toBe(rows[0]!.join('  '));
    expect((await query(45))[1]).toBe(`${'x'.repeat(25)}…  ${'y'.repeat(13)}…  z`);
    expect((await query(20)).slice(1, 4)).toEqual([
      `${'x'.repeat(16)}…  z`,
      '',
      '… 1 more column: widen the terminal, or --json',
    ]);
  });

  it('lists tables with their columns, types and rules', async () => {
    const column = { nullable: true, default: null, primaryKey: false, generated: false };
    const tables = [
      {
        schema: 'public',
        name: 'orders',
        view: false,
        rows: 120,
        columns: [
          { ...column, name: 'id', type: 'bigint', nullable: false, primaryKey: true },
          { ...column, name: 'State', type: 'character varying(20)', nullable: false, default: "'new'" },
          { ...column, name: 'note', type: 'text' },
          { ...column, name: 'line', type: 'bigint', nullable: false, generated: true },
          { ...column, name: 'gross', type: 'integer', generated: true, default: '(net + tax)' },
        ],
      },
      { schema: 'public', name: 'empty', view: false, rows: 1, columns: [] },
      { schema: 'public', name: 'totals', view: true, rows: 0, columns: [{ ...column, name: 'sum', type: 'bigint' }] },
    ];
    using platform = await startWithDatabase({ '/api/databases/explorer/schema': { body: { tables } } });
    expect((await lilac('db schema db_1', platform.environment)).out).toBe(
      [
        'public.orders (about 120 rows)',
        '  id     bigint                 primary key',
        "  State  character varying(20)  not null, default 'new'",
        '  note   text',
        '  line   bigint                 not null, generated always',
        '  gross  integer                generated always as (net + tax)',
        '',
        'public.empty (about 1 row)',
        '',
        'public.totals (view)',
        '  sum  bigint',
        '',
      ].join('\n'),
    );
  });
});
