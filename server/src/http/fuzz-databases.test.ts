import { declarationOf, type EndpointName } from '@lilac/contract/endpoints';
import { toInputSchema } from '@lilac/contract/json-schema';
import type { DatabaseType } from '@lilac/contract/states';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCorpusRequests } from '../testing/corpus-requests.ts';
import { expectDeclared } from '../testing/declared-answer.ts';
import { assertFuzzed, fuzzRuns } from '../testing/fuzz-settings.ts';
import { asJson, distortionsOf, nearlyRightValue, rightValue, type Known } from '../testing/fuzz-values.ts';
import { startRunningDatabases, type RunningDatabases } from '../testing/running-databases.ts';

/** What is said to databases through the API, with servers behind it that really run. */
let bench: RunningDatabases;
beforeAll(async () => {
  bench = await startRunningDatabases();
});
afterAll(() => bench?.[Symbol.asyncDispose]());

const types = ['postgresql', 'mysql'] as const;
const explored = [
  'databases.explorer.schema',
  'databases.explorer.rows',
  'databases.explorer.query',
  'databases.explorer.cancel',
  'databases.explorer.row',
  'databases.explorer.table',
] as const satisfies EndpointName[];
const SHARE = 0.8 / (types.length * explored.length);

const call = (name: EndpointName, body: unknown) => send(name, asJson(body));

async function send(name: EndpointName, body: string) {
  const { path } = declarationOf(name);
  const answer = await bench.api.call(path, { token: bench.owner.token, body });
  return { ...answer, code: expectDeclared(declarationOf(name), answer) };
}

describe.each(types)('%s', (type) => {
  let databaseId: string;
  beforeAll(async () => {
    databaseId = await bench.create(type);
  });

  const addressed = () => ({ targetOrganisationId: bench.owner.organisationId, databaseId });
  const run = (statement: string) =>
    call('databases.explorer.query', { ...addressed(), statement, readOnly: false }).then(({ body }) => body as object);

  // What is dropped or renamed in one test is there in the next.
  beforeEach(async () => {
    for (const statement of CONTENTS[type]) await run(statement);
  });

  it.each(readCorpusRequests('databases'))('is asked $name, which is kept', async ({ requestFor }) => {
    const { endpoint, body } = requestFor(addressed());
    const { code } = await send(endpoint, body!);
    // It comes as far as the database, or is refused for what it is.
    expect([null, 'DB001', 'NF001', 'VA001']).toContain(code);
  });

  it.each(explored)('%s answers nearly right and hostile bodies', async (name) => {
    const schema = toInputSchema(declarationOf(name).body!);
    const { body } = await call('databases.explorer.schema', addressed());
    const known = knownIn(type, (body as { tables: { schema: string }[] }).tables[0]!.schema);
    const bodies = fc.oneof(
      { weight: 2, arbitrary: rightValue(schema, known) },
      { weight: 1, arbitrary: nearlyRightValue(schema, known) },
    );
    const outcomes = new Set<string | null>();
    await assertFuzzed(
      fc.asyncProperty(bodies, async (body) => {
        // Without them nothing else is looked at; the fuzzer of all endpoints tries them.
        const { code } = await call(name, { ...(body as object), ...addressed() });
        outcomes.add(code);
      }),
      fuzzRuns(RUNS[name], SHARE),
    );
    expect([...outcomes]).toEqual(expect.arrayContaining(OUTCOMES[name]));
  });

  it('imports any file or says what is wrong with it, and dumps what came of it', async () => {
    const pieces = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...STATEMENTS[type]) },
      { weight: 2, arbitrary: distortionsOf(fc.constantFrom(...STATEMENTS[type])) },
      fc.string({ unit: 'binary' }),
    );
    await assertFuzzed(
      fc.asyncProperty(fc.array(pieces, { maxLength: 5 }), async (lines) => {
        const uploadId = await bench.upload(Buffer.from(lines.map((line) => `${line};\n`).join('')));
        expect((await call('databases.import', { ...addressed(), uploadId })).code).toBe(null);
        await bench.settled(databaseId);
        expect((await call('databases.status', addressed())).body).toMatchObject({ status: 'healthy' });
        expect((await call('databases.dump', addressed())).body).toMatchObject({ size: expect.any(Number) as number });
      }),
      fuzzRuns(6, 0.1),
    );
  });
});

/** What must have come of some of them: null is that it was done. */
const OUTCOMES: Record<(typeof explored)[number], (string | null)[]> = {
  'databases.explorer.schema': [null],
  'databases.explorer.rows': [null, 'DB001', 'NF001'],
  'databases.explorer.query': [null, 'DB001'],
  'databases.explorer.cancel': [null],
  'databases.explorer.row': ['DB001', 'NF001'],
  'databases.explorer.table': [null, 'DB001', 'NF001'],
};

/** What has filters, values and columns in it is right in more ways, and wrong in more. */
const RUNS: Record<(typeof explored)[number], number> = {
  'databases.explorer.schema': 20,
  'databases.explorer.rows': 300,
  'databases.explorer.query': 120,
  'databases.explorer.cancel': 20,
  'databases.explorer.row': 300,
  'databases.explorer.table': 80,
};

function knownIn(type: DatabaseType, schema: string): Known {
  const columns = fc.constantFrom('id', 'title', 'amount', 'placed_at', 'is_paid', 'details', 'picture', 'odd "na`me');
  const tables = fc.oneof(
    { weight: 12, arbitrary: fc.constant('orders') },
    fc.constantFrom('orders_seen', 'odd "na`me', 'public.orders', 'nothing'),
  );
  const schemas = fc.oneof(
    { weight: 8, arbitrary: fc.constant(schema) },
    fc.constantFrom('public', 'app', 'information_schema', 'pg_catalog', 'nowhere'),
  );
  const known: Record<string, fc.Arbitrary<unknown>> = {
    table: tables,
    newName: fc.constantFrom('renamed', 'orders', 'odd "na`me'),
    schema: schemas,
    column: columns,
    sortColumn: columns,
    'values.*': columns,
    'key.*': fc.constant('id'),
    name: columns,
    type: fc.constantFrom(
      'bigint',
      'varchar(20)',
      'text',
      'json',
      'serial',
      'int not null',
      'text -- a',
      'enum()',
      'int)',
    ),
    statement: fc.oneof(
      fc.constantFrom(...STATEMENTS[type]),
      distortionsOf(fc.constantFrom(...STATEMENTS[type])),
      soup,
    ),
  };
  return (name) => (Object.hasOwn(known, name) ? known[name] : undefined);
}

/** What statements are made of, in any order. */
const WORDS =
  `select * from orders where id = $1 ? $2 ' " \` ; -- /* */ ( ) , null begin commit rollback set explain with as x ` +
  ':: int $$ union limit 1 0 -1 1e999 copy to stdout show delimiter insert into';
const soup = fc
  .array(fc.constantFrom(...WORDS.split(' ')), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' '));

/** A table that is a view now is in the way too; whichever of the two it is not, the database says so. */
const GONE = ['orders_seen', 'orders'].flatMap((name) => [
  `drop view if exists ${name}`,
  `drop table if exists ${name}`,
]);

const CONTENTS: Record<DatabaseType, string[]> = {
  postgresql: [
    ...GONE,
    `create table orders (id bigint primary key, title text, amount numeric(10, 2), placed_at timestamptz,
      is_paid boolean, details jsonb, picture bytea, "odd ""na\`me" int[])`,
    String.raw`insert into orders values (1, 'one', 1.5, now(), true, '{}', '\x00ff', '{1,2}')`,
    'insert into orders (id) values (2)',
    'create view orders_seen as select id, title from orders',
    'create table if not exists "odd ""na`me" (id int, "odd ""na`me" text)',
  ],
  mysql: [
    ...GONE,
    `create table orders (id bigint primary key, title text, amount decimal(10, 2), placed_at datetime,
      is_paid boolean, details json, picture blob, \`odd "na\`\`me\` int)`,
    "insert into orders values (1, 'one', 1.5, now(), true, '{}', x'00ff', 7)",
    'insert into orders (id) values (2)',
    'create view orders_seen as select id, title from orders',
    'create table if not exists `odd "na``me` (id int, `odd "na``me` text)',
  ],
};

const COMMON = [
  'select 1',
  'select * from orders',
  'select count(*), max(id) from orders group by title order by 1 limit 3',
  'select * from orders_seen where id > 1',
  "insert into orders (id, title) values (7, 'seven')",
  'update orders set title = null',
  'delete from orders where id = 7',
  'create table made (id int)',
  'drop table if exists made',
  'begin',
  'commit',
  'select * from nothing',
  'select 1; select 2',
];

const STATEMENTS: Record<DatabaseType, string[]> = {
  postgresql: [
    ...COMMON,
    'select * from orders where id = $1',
    'select $1::jsonb, $2::int[], $3::text',
    String.raw`select '\x00'::bytea, now(), interval '1 day', 'NaN'::float8, 10::numeric(40, 20), array[[1],[2]]`,
    'insert into orders (id) values ($1) returning *',
    'do $$ begin raise exception $a$ no $a$; end $$',
    'copy orders to stdout',
    'listen x',
    "set statement_timeout = '1h'",
  ],
  mysql: [
    ...COMMON,
    'select * from orders where id = ?',
    'select ?, ?, ?',
    "select x'00', now(), cast('1' as decimal(40, 20)), point(1, 2), b'101', json_array(1)",
    'show tables',
    'explain select * from orders',
    'call nothing()',
    "set sql_mode = 'ANSI_QUOTES'",
    'delimiter //',
  ],
};
