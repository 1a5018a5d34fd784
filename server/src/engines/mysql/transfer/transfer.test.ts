import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escape } from 'mysql2';
import type { RowDataPacket } from 'mysql2/promise';
import { start } from '../../../lib/exec.ts';
import { eventually } from '../../../testing/eventually.ts';
import { specFor } from '../../conformance-subject.ts';
import type { DatabaseOwner } from '../../engine.ts';
import type { ServerSpec } from '../../server.ts';
import { CannotBeDumped, LoadFailed, SessionLost } from '../../transfer.ts';
import { connectAsOwner } from '../connect.ts';
import { openMysql, type MysqlSubject } from '../testing/mysql-subject.ts';
import { createMysqlTransfer } from './create-transfer.ts';
import { everything } from './testing/everything.ts';

const never = new AbortController().signal;

async function* inPieces(text: Buffer, size = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.subarray(at, at + size));
}

let bench: MysqlSubject;
let spec: ServerSpec;
let home: string;
let transfer: ReturnType<typeof createMysqlTransfer>;

beforeAll(async () => {
  bench = await openMysql();
  spec = await specFor(bench, 'dbs_1');
  await bench.engine.create(spec);
  await bench.engine.start(spec);
  home = (await bench.host.find(spec.id))?.home ?? '';
  transfer = createMysqlTransfer(bench);
});
afterAll(() => bench[Symbol.asyncDispose]());

async function database(name: string): Promise<DatabaseOwner> {
  const owner = { databaseName: name, user: `${name}_owner`, password: 'first-password-1' };
  await bench.engine.empty(spec, owner);
  return owner;
}

async function query(owner: DatabaseOwner, text: string): Promise<RowDataPacket[]> {
  await using session = await connectAsOwner(home, owner);
  const [rows] = await session.connection.query<RowDataPacket[]>(text);
  return rows;
}

async function dump({ databaseName }: DatabaseOwner) {
  const sink = new PassThrough();
  const pieces: Buffer[] = [];
  sink.on('data', (piece: Buffer) => pieces.push(piece));
  const summary = await transfer.dump(spec, databaseName, sink, never);
  return { ...summary, text: Buffer.concat(pieces) };
}

const load = (owner: DatabaseOwner, text: Buffer | string) =>
  transfer.load(spec, owner, inPieces(Buffer.from(text)), { signal: never });

/** As the platform, by the stock client or `mariadb-dump`. */
async function stock(program: string, args: string[], input = ''): Promise<string> {
  const child = start([program, '--no-defaults', '--socket=mysql.sock', '--default-character-set=utf8mb4', ...args], {
    cwd: home,
    env: { PATH: '/usr/bin' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [output, words] = ['', ''];
  child.stdout?.setEncoding('latin1').on('data', (piece: string) => (output += piece));
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => (words += piece));
  child.stdin?.end(input);
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(words);
  return output;
}

const dumpAccounts = () => bench.ask(spec.id, "select user from mysql.global_priv where user like 'lilac_dump%'");

const sessionsOf = ({ user }: DatabaseOwner) =>
  bench.ask(spec.id, `select id from information_schema.processlist where user = '${user}'`);

const settings = (name: string) =>
  bench.ask(
    spec.id,
    `select default_character_set_name as letters, default_collation_name as collation, schema_comment as comment
     from information_schema.schemata where schema_name = '${name}'`,
  );

describe('dump and load', () => {
  it('write everything down, and make it again for another owner in another database', async () => {
    const [one, other] = [await database('one'), await database('other')];
    await stock('mariadb', ['one'], everything);
    const first = await dump(one);
    expect(first).toMatchObject({ tables: 9, rows: 20 });
    expect(first.text.toString()).toMatch(/\n-- Lilac dump complete: tables=9 rows=20\n$/);
    expect(first.text.toString()).not.toMatch(/DEFINER=/);
    expect(await load(other, first.text)).toMatchObject({ rows: 20 });
    expect((await dump(other)).text.equals(first.text)).toBe(true);
    expect(await stock('mariadb', ['--skip-column-names', 'other', '-e', 'call p1(4, @m); select @m, f1(2)'])).toBe(
      Buffer.from('8\tü;2\n').toString('latin1'),
    );
    expect(
      await query(other, "select distinct definer from information_schema.routines where routine_schema = 'other'"),
    ).toEqual([{ definer: 'other_owner@localhost' }]);
  });

  it('come to the same as the stock client does, which reads what we write', async () => {
    const one = await database('one');
    await database('other');
    await load(one, everything);
    const { text } = await dump(one);
    await stock('mariadb', ['other'], text.toString());
    const raw = (name: string) =>
      stock('mariadb-dump', ['--skip-comments', '--hex-blob', '--skip-triggers', '--no-create-info', name]);
    expect(await raw('other')).toBe(await raw('one'));
  });

  it.each([
    ['as it is', []],
    ['with the database', ['--databases', '--add-drop-database', '--routines', '--events']],
    ['without hexadecimal', ['--skip-hex-blob', '--skip-extended-insert', '--complete-insert']],
    ['with locks and comments', ['--lock-tables', '--add-locks', '--comments', '--dump-date']],
  ])('take a file of mariadb-dump: %s', async (_what, options) => {
    const [one, other] = [await database('one'), await database('other')];
    await load(one, everything.replaceAll(/^create (?:sequence|table later).*|^do nextval.*/gm, ''));
    const file = await stock('mariadb-dump', ['--triggers', ...options, 'one']);
    await load(other, Buffer.from(file, 'latin1'));
    const data = (name: string) => stock('mariadb-dump', ['--skip-comments', '--skip-triggers', name]);
    expect(withoutViews(await data('other'))).toBe(withoutViews(await data('one')));
  });

  it('leave out views that do not work any more, and say so', async () => {
    const [one, other] = [await database('one'), await database('other')];
    await load(
      one,
      'create table t (a int); insert into t values (1); create table gone (x int); create view `b``ad` as select x from gone; ' +
        'create view worse as select * from `b``ad`; create view good as select a from t; drop table gone;',
    );
    const { text } = await dump(one);
    expect(text.toString()).toMatch(/^-- The view b`ad does not work, and is left out: .*invalid/m);
    expect(text.toString()).toMatch(/^-- CREATE .* VIEW `b``ad` AS select .*`gone`/m);
    await load(other, text);
    expect(await query(other, 'select a from good')).toEqual([{ a: 1 }]);
  });

  it("carry what new tables are made with, and the database's comment, where they are its own", async () => {
    const [one, other] = [await database('one'), await database('other')];
    const usual = await settings('one');
    expect((await dump(one)).text.toString()).not.toMatch(/ALTER DATABASE/);
    const comment = 'it\'s ü */; \\\n"x"';
    await query(one, `alter database character set latin1 collate latin1_german2_ci comment ${escape(comment)}`);
    const { text } = await dump(one);
    await load(other, text);
    const expected = [{ letters: 'latin1', collation: 'latin1_german2_ci', comment }];
    expect(await settings('other')).toEqual(expected);
    await database('other');
    expect(await settings('other')).toEqual(usual);
    await stock('mariadb', ['other'], text.toString());
    expect(await settings('other')).toEqual(expected);
  });

  it('lose nothing of numbers and dates that the stock client shortens, also where its own file is loaded', async () => {
    const [one, other] = [await database('one'), await database('other')];
    await query(
      one,
      `create table n (id int primary key, f float, g float(7,3), u float unsigned invisible, \`we\`\`ird ü\` float, d double,
         day date, at datetime(3)) with system versioning`,
    );
    const values = [
      '1234567.75',
      '16777215',
      '52.520008',
      '0.1',
      '3.4028234663852886e38',
      '1e-45',
      '-1e-38',
      '-1e-60',
      'null',
    ];
    const rows = values.map(
      (n, id) => `(${id}, ${n}, ${id / 7}, abs(${n}), ${n} / 3, ${n} / 3, '2021-02-31', '2021-04-31 1:2:3.5')`,
    );
    await using session = await connectAsOwner(home, one);
    await session.connection.query("set sql_mode = 'ALLOW_INVALID_DATES'");
    await session.connection.query(`insert into n (id, f, g, u, \`we\`\`ird ü\`, d, day, at) values ${rows.join(',')}`);
    await session.connection.query("insert into n (id, day) values (100, '0000-00-00'), (101, '2024-00-00')");
    const all =
      'select id, f + 0e0, atan2(f, -1), g + 0e0, u + 0e0, `we``ird ü` + 0e0, d, cast(day as char), cast(at as char) from n order by id';
    const { text } = await dump(one);
    await load(other, text);
    expect(await query(other, all)).toEqual(await query(one, all));
    await database('other');
    await stock('mariadb', ['other'], text.toString());
    expect(await query(other, all)).toEqual(await query(one, all));
    await load(await database('other'), await stock('mariadb-dump', ['one', 'n']));
    const days = 'select cast(day as char), cast(at as char) from n order by id';
    expect(await query(other, days)).toEqual(await query(one, days));
  });

  it('carry many rows, streamed', async () => {
    const [one, other] = [await database('one'), await database('other')];
    await query(
      one,
      'create table many (id int primary key, t varchar(50), b varbinary(20)) as select seq as id, md5(seq) as t, unhex(md5(seq)) as b from seq_1_to_300000',
    );
    const pipe = new PassThrough();
    const progress: number[] = [];
    const loading = transfer.load(spec, other, pipe, { signal: never, onProgress: (bytes) => progress.push(bytes) });
    expect(await transfer.dump(spec, 'one', pipe, never)).toEqual({ tables: 1, rows: 300_000 });
    pipe.end();
    expect((await loading).rows).toBe(300_000);
    expect(progress.length).toBeGreaterThan(5);
    const sum = 'select count(*) as n, sum(crc32(concat(id, t, hex(b)))) as s from many';
    expect(await query(other, sum)).toEqual(await query(one, sum));
  });

  it('hold values of any length that owners can write, whose texts are longer than owners may send', async () => {
    const [one, other] = [await database('one'), await database('other')];
    await query(one, 'create table t (a longtext, b longblob)');
    await query(one, "insert into t values (repeat('''', 34000000), repeat(x'00', 1000))");
    await load(other, (await dump(one)).text);
    const sum = 'select length(a) as a, crc32(a) as c, hex(b) = repeat(0, 2000) as b from t';
    expect(await query(other, sum)).toEqual(await query(one, sum));
    expect(await query(other, 'select @@max_allowed_packet as bytes')).toEqual([{ bytes: 33 * 1024 ** 2 }]);
    await query(one, "update t set b = repeat(x'00', 30000000)");
    await expect(dump(one)).rejects.toThrow(CannotBeDumped);
    await bench.ask(spec.id, 'set global max_allowed_packet = 1073741824');
    await bench.engine.keepAccess(spec);
    expect(await query(other, 'select @@max_allowed_packet as bytes')).toEqual([{ bytes: 33 * 1024 ** 2 }]);
  });

  it('say that a larger tier helps where a statement is too long for the server', async () => {
    const owner = await database('one');
    const tiny = { ...spec, size: { ...spec.size, memoryMb: 20 } };
    const text = Buffer.from(`create table t (a longtext); insert into t values ('${'x'.repeat(5_000_000)}');`);
    const loading = transfer.load(tiny, owner, inPieces(text), { signal: never });
    await expect(loading).rejects.toThrow(/^Line 1: a statement is longer than 3 MB\. .* choose a larger tier/);
  });

  it('take tables of MySQL 8', async () => {
    const owner = await database('one');
    await load(
      owner,
      `SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN;\nSET @@SESSION.SQL_LOG_BIN= 0;
       SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ '';
       /*!50503 SET character_set_client = utf8mb4 */;
       CREATE TABLE t (a varchar(20) COLLATE utf8mb4_0900_ai_ci, b varchar(20)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
       INSERT INTO t VALUES ('ä','ö');`,
    );
    expect(await query(owner, "select b from t where a = 'A'")).toEqual([{ b: 'ö' }]);
  });
});

describe('what an owner puts in the way of a dump', () => {
  it('runs nothing of his as the platform, though a view takes the name of a table', async () => {
    const one = await database('one');
    await query(one, 'create table t (id int)');
    await query(one, 'create table later (id int)');
    await query(one, 'create procedure p() select 1');
    await query(
      one,
      `create function f() returns int sql security invoker modifies sql data begin
         update mysql.proc set definer = 'root@localhost' where db = 'one' and name = 'p'; return 1; end`,
    );
    await query(one, 'create sql security invoker view v as select f() as id');
    await using holder = await connectAsOwner(home, one);
    await using renamer = await connectAsOwner(home, one);
    await holder.connection.query('lock tables t write');
    const dumping = dump(one).catch((error: Error) => error);
    const waiting = (info: string) =>
      eventually(`${info} waits`, async () => {
        const rows = await bench.ask(
          spec.id,
          `select id from information_schema.processlist where state like 'Waiting for table metadata lock%'
             and info like '${info}%'`,
        );
        return rows.length > 0;
      });
    await waiting('select');
    const renaming = renamer.connection.query('rename table t to t_old, v to t');
    await waiting('rename');
    await holder.connection.query('unlock tables');
    await renaming;
    await dumping;
    expect(await bench.ask(spec.id, "select definer from mysql.proc where db = 'one' and name = 'p'")).toEqual([
      { definer: 'one_owner@localhost' },
    ]);
    expect(await dumpAccounts()).toEqual([]);
  });

  it('is waited for a while only, and is named then', async () => {
    const one = await database('one');
    await query(one, 'create table `ta``ken` (id int)');
    await using holder = await connectAsOwner(home, one);
    await holder.connection.query('lock tables `ta``ken` write');
    const impatient = createMysqlTransfer({ ...bench, lockWaitSeconds: 1 });
    const refused = impatient.dump(spec, 'one', new PassThrough().resume(), never);
    await expect(refused).rejects.toThrow(/^The table ta`ken was locked by another session for more than 1 s/);
    await holder.connection.query('unlock tables');
    expect(await dump(one)).toMatchObject({ tables: 1 });
  });

  it('writes down views that call functions in the name of whoever reads them', async () => {
    const [one, other] = [await database('one'), await database('other')];
    await query(one, 'create function twice(x int) returns int deterministic sql security invoker return x * 2');
    await query(one, 'create sql security invoker view v as select twice(21) as n');
    await load(other, (await dump(one)).text);
    expect(await query(other, 'select n from v')).toEqual([{ n: 42 }]);
  });

  it('has an account only while it is at it, several share it, and one that was left is swept', async () => {
    const one = await database('one');
    await query(one, 'create table t (id int)');
    await Promise.all([dump(one), dump(one), dump(one)]);
    expect(await dumpAccounts()).toEqual([]);
    await bench.ask(spec.id, 'create user lilac_dump@localhost');
    await bench.engine.keepAccess(spec);
    expect(await dumpAccounts()).toEqual([]);
  });
});

describe('a file that is not as it should be', () => {
  it.each([
    ['create table x (n int);\n\\! touch /tmp/lilac-was-here\n', /^Line 2: \\! is a command to the mysql client/],
    ['system id;\n', /^Line 1: system is a command/],
    ['create table x (n int);\nsource /etc/passwd;', /^Line 2: source/],
    ['tee /tmp/x', /^Line 1: tee/],
    ['select 1\\G', /^Line 1: \\G/],
    ['create table x (n int);\ninsert into x\n  values (1,;', /^Line 3: .*syntax/],
    ['create table kept (n int);', /^Line 1: Table 'kept' already exists/],
    ["load data infile '/etc/passwd' into table kept;", /^Line 1: Access denied/],
    ["load data local infile '/etc/passwd' into table kept;", /^Line 1: /],
    ["select * into outfile '/tmp/x' from kept;", /^Line 1: Access denied/],
    ['create table mysql.x (n int);', /^Line 1: .*denied/],
    [
      'create database a;\nuse a;\ncreate table x (n int);\nuse b;',
      /^Line 4: the file holds several databases \(a, b\)/,
    ],
    ['set names gbk;\ncreate table x (n int);', /^Line 1: the file is in gbk/],
    ["insert into kept values ('a", /cut off/],
    ["create table x (n int);\nxa start 'a';", /^Line 2: transactions that outlive their session/],
    ['-- Lilac dump of a MySQL database\ncreate table x (n int);\n', /cut off/],
    ['create table x (`ü` int);\ninsert into x (`ä`) values (1);', /^Line 2: Unknown column 'ä'/],
  ])('%j', async (script, words) => {
    const owner = await database('victim');
    await query(owner, 'create table kept (n int)');
    const failure = load(owner, script);
    await expect(failure).rejects.toThrow(LoadFailed);
    await expect(failure).rejects.toThrow(words);
  });

  it('that ends its own session is told with the line that does', async () => {
    const owner = await database('victim');
    const script = "create table x (n int);\nexecute immediate concat('kill connection ', connection_id());";
    const failure = await load(owner, script).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SessionLost);
    expect(failure).toMatchObject({ line: 2 });
  });

  it('cannot fill our memory with what it asks for', async () => {
    const owner = await database('victim');
    const before = process.memoryUsage().rss;
    await load(owner, "select repeat('x', 1000) from seq_1_to_300000;");
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2);
  });
});

describe('when it is to end', () => {
  it('a dump ends', async () => {
    const owner = await database('one');
    await query(owner, 'create table many as select seq, md5(seq) as t from seq_1_to_200000');
    const controller = new AbortController();
    const dumping = transfer.dump(spec, 'one', new PassThrough(), controller.signal);
    const isDumping = async () =>
      (await bench.ask(spec.id, "select id from information_schema.processlist where db = 'one'")).length > 0;
    await eventually('it is at it', isDumping);
    controller.abort(new Error('no more'));
    await expect(dumping).rejects.toThrow('no more');
    await eventually('no session is left', async () => !(await isDumping()));
  });

  it('a load ends in the middle of a statement', async () => {
    const owner = await database('one');
    const controller = new AbortController();
    const loading = transfer.load(spec, owner, inPieces(Buffer.from('select sleep(3600);')), {
      signal: controller.signal,
    });
    await eventually('it is at it', async () => (await sessionsOf(owner)).length > 0);
    controller.abort(new Error('no more'));
    await expect(loading).rejects.toThrow('no more');
    await eventually('no session is left', async () => (await sessionsOf(owner)).length === 0);
  });
});

/** In whose name views work differs, and so does when rows of before were written. */
function withoutViews(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('/*!50013 DEFINER'))
    .join('\n');
}
