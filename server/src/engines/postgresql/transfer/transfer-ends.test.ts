import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { CannotBeDumped, LoadFailed, SessionLost } from '../../transfer.ts';
import { inPieces, never } from '../../testing/transfer-input.ts';
import { connectAsOwner } from '../connect.ts';
import { createPostgresqlTransfer } from './create-transfer.ts';
import { describeEachSeries } from './testing/each-series.ts';

describeEachSeries('when it is to end', (bench) => {
  const sessionsOf = (databaseName: string) =>
    bench.ask(`select pid from pg_stat_activity where datname = '${databaseName}'`);

  it('a dump ends, and so does its session', async () => {
    const owner = await bench.database('one');
    await bench.query(owner, 'create table many as select i, md5(i::text) from generate_series(1, 200000) i');
    const controller = new AbortController();
    // Nobody reads: it waits for ever.
    const dumping = bench.transfer.dump(bench.spec, 'one', new PassThrough(), controller.signal);
    await eventually(
      'rows are copied',
      async () => (await bench.ask("select from pg_stat_activity where query like 'copy %'")).length > 0,
    );
    controller.abort(new Error('no more'));
    await expect(dumping).rejects.toThrow('no more');
    await eventually('no session is left', async () => (await sessionsOf('one')).length === 0);
  });

  it('a dump fails with what it is written to', async () => {
    const owner = await bench.database('one');
    await bench.query(owner, 'create table many as select i, md5(i::text) from generate_series(1, 200000) i');
    let written = 0;
    const full = new Writable({
      write(piece: Buffer, _encoding, callback) {
        written += piece.length;
        callback(written > 1_000_000 ? new Error('no room') : null);
      },
    });
    full.on('error', () => {});
    await expect(bench.transfer.dump(bench.spec, 'one', full, never)).rejects.toThrow(/no room|closed/);
    await eventually('no session is left', async () => (await sessionsOf('one')).length === 0);
  });

  it('a load ends in the middle of a statement, and nothing of it stays', async () => {
    const owner = await bench.database('one');
    const controller = new AbortController();
    const loading = bench.transfer.load(
      bench.spec,
      owner,
      inPieces(Buffer.from('create table x (); select pg_sleep(3600);')),
      { signal: controller.signal },
    );
    await eventually(
      'it is at it',
      async () =>
        (await bench.ask("select from pg_stat_activity where query like '%pg_sleep(3600)%' and datname = 'one'"))
          .length > 0,
    );
    controller.abort(new Error('no more'));
    await expect(loading).rejects.toThrow('no more');
    await eventually('no session is left', async () => (await sessionsOf('one')).length === 0);
    expect(await bench.query(owner, "select to_regclass('x') as x")).toEqual([{ x: null }]);
  });

  it('whoever has locked a table is waited for a while only, and is named then', async () => {
    const owner = await bench.database('one');
    await bench.query(owner, 'create table taken (id int)');
    await using holder = await connectAsOwner(bench.home, owner);
    await holder.client.query('begin; lock table taken');
    const impatient = createPostgresqlTransfer({ ...bench.subject, lockWaitMs: 300 });
    const refused = impatient.dump(bench.spec, 'one', new PassThrough().resume(), never);
    await expect(refused).rejects.toThrow(
      /^Another session has locked (public\.)?taken \(by the session \d+\) for more/,
    );
    await holder.client.query('rollback');
    expect(await bench.dump(owner)).toMatchObject({ tables: 1 });
  });

  it('so is whoever is about to replace a view, for which pg_dump itself would wait without end', async () => {
    const owner = await bench.database('one');
    await bench.query(owner, 'create view seen as select 1 as n');
    await using holder = await connectAsOwner(bench.home, owner);
    await holder.client.query('begin; create or replace view seen as select 2 as n');
    const impatient = createPostgresqlTransfer({ ...bench.subject, lockWaitMs: 300 });
    const refused = impatient.dump(bench.spec, 'one', new PassThrough().resume(), never);
    await expect(refused).rejects.toThrow(/^Another session \(\d+\) has locked (public\.)?seen for more than 0.3 s/);
    await holder.client.query('rollback');
    expect(await bench.dump(owner)).toMatchObject({ tables: 0 });
  });

  it('a load waits a while only for whoever holds what it changes, whatever the file says, and names him', async () => {
    const owner = await bench.database('one');
    await bench.query(owner, 'create table taken (id int)');
    await using holder = await connectAsOwner(bench.home, owner);
    await holder.client.query("set application_name = 'shop'; begin; select from taken");
    const impatient = createPostgresqlTransfer({ ...bench.subject, loadLockWaitMs: 300 });
    const script = Buffer.from('set lock_timeout = 0;\nalter table taken add column n int;');
    const failure = impatient.load(bench.spec, owner, inPieces(script), { signal: never });
    await expect(failure).rejects.toThrow(LoadFailed);
    await expect(failure).rejects.toThrow(
      /^Line 2: .*lock timeout\. Another session .*\d+ \(owner_of_one, shop\), which holds (public\.)?taken\./,
    );
    await holder.client.query('rollback');
  });

  it('a load whose session was killed says that it needs more memory, and one that went with another does not', async () => {
    const owner = await bench.database('one');
    const script = Buffer.from('create table x (n int);\nselect pg_sleep(3600);');
    const load = () =>
      bench.transfer.load(bench.spec, owner, inPieces(script), { signal: never }).catch((error) => error as Error);
    const find = () =>
      bench.ask("select pid from pg_stat_activity where query like '%pg_sleep(3600)%' and datname = 'one'");
    const isSleeping = () => eventually('it is at it', async () => (await find()).length > 0);
    const isBack = () => eventually('it is back', () => bench.ask('select 1').then(Boolean, () => false));
    const killed = load();
    await isSleeping();
    process.kill(Number((await find())[0]!['pid']), 'SIGKILL');
    const failure = await killed;
    expect(failure).toBeInstanceOf(LoadFailed);
    expect(failure).toMatchObject({ message: expect.stringMatching(/^Line 2: .*Choose a larger tier/) as string });
    await isBack();
    const other = load();
    await isSleeping();
    await using bystander = await connectAsOwner(bench.home, owner);
    const { rows } = await bystander.client.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(rows[0]!.pid, 'SIGKILL');
    expect(await other).toBeInstanceOf(SessionLost);
    await isBack();
  });

  it('a row that is too large for the server is refused before it is read', async () => {
    const owner = await bench.database('one');
    await bench.query(owner, 'create table large (b bytea); alter table large alter b set storage external');
    await bench.query(owner, "insert into large select convert_to(repeat('x', 78 * 1024 * 1024), 'UTF8')");
    const refused = bench.dump(owner);
    await expect(refused).rejects.toThrow(CannotBeDumped);
    await expect(refused).rejects.toThrow(/"large" counts for about 156 MB of text, and .* 153 MB/);
    await bench.query(owner, 'update large set b = substr(b, 1, 40 * 1024 * 1024)');
    expect(await bench.dump(owner)).toMatchObject({ rows: 1 });
  });

  it('a server that ended itself over a row is not asked again', async () => {
    const owner = await bench.database('one');
    await bench.query(owner, 'create table many as select i, md5(i::text) from generate_series(1, 200000) i');
    const slow = new PassThrough();
    const dumping = bench.transfer.dump(bench.spec, 'one', slow, never);
    const copying = () => bench.ask("select pid from pg_stat_activity where query like 'copy %'");
    await eventually('rows are copied', async () => (await copying()).length > 0);
    const [session] = await copying();
    process.kill(Number(session!['pid']), 'SIGKILL');
    slow.resume();
    await expect(dumping).rejects.toThrow(CannotBeDumped);
    await eventually('it is back', () => bench.ask('select 1').then(Boolean, () => false));
  });

  it('somebody who waits to change a table is not waited for', async () => {
    const owner = await bench.database('one');
    await bench.query(owner, 'create table many as select i, md5(i::text) from generate_series(1, 200000) i');
    const slow = new PassThrough();
    const dumping = bench.transfer.dump(bench.spec, 'one', slow, never);
    await eventually(
      'rows are copied',
      async () => (await bench.ask("select from pg_stat_activity where query like 'copy %'")).length > 0,
    );
    const altering = bench.query(owner, 'alter table many add column later int');
    await eventually(
      'it waits',
      async () => (await bench.ask("select from pg_stat_activity where wait_event_type = 'Lock'")).length > 0,
    );
    slow.resume();
    expect((await dumping).rows).toBe(200_000);
    await altering;
  });
});
