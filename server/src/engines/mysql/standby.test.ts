import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, makeDatabase, OWNER, refuses, specFor } from '../conformance-subject.ts';
import type { ServerSpec } from '../server.ts';
import { findPrograms } from './programs.ts';
import { openMysql, type MysqlSubject } from './testing/mysql-subject.ts';

const { programs } = await findPrograms();

describe.runIf(programs)('a standby of MariaDB', () => {
  let subject: MysqlSubject;
  let primary: ServerSpec;
  let standby: ServerSpec;
  beforeEach(async () => {
    subject = await openMysql();
    primary = await specFor(subject, 'dbs_one', { databaseId: 'db_pair' });
    standby = await specFor(subject, 'dbs_two', { databaseId: 'db_pair', role: 'standby' });
    await makeDatabase(subject, primary);
    await using client = await subject.connect({ ...OWNER, port: primary.port });
    await client.query('create table numbers (n int primary key)');
  });
  afterEach(() => subject[Symbol.asyncDispose]());

  const inStep = async () => {
    await subject.engine.createStandby(primary, standby);
    await subject.engine.setSynchronous(primary, standby.id);
  };
  const somebodyWaits = () =>
    eventually('a commit waits', async () => {
      const rows = await subject.ask(primary.id, 'show processlist');
      return rows.some((row) => String(row['State']).includes('semi-sync'));
    });

  it('keeps nobody from making triggers and functions, and has them too', async () => {
    await inStep();
    await using client = await subject.connect({ ...OWNER, port: primary.port });
    await client.query('create trigger later before insert on numbers for each row set new.n = new.n + 1');
    await client.query('create function next_of(n int) returns int return n + 1');
    await client.query('insert into numbers values (next_of(1))');
    await subject.engine.kill(primary.id);
    await subject.engine.promote(standby);
    await using after = await subject.connect({ ...OWNER, port: standby.port });
    await after.query('insert into numbers values (next_of(10))');
    expect(await after.query('select n from numbers order by n')).toEqual([{ n: 3 }, { n: 12 }]);
  });

  it('takes no sessions, whatever its accounts say', async () => {
    await inStep();
    const attempt = subject.connect({ ...OWNER, port: standby.port }).then((client) => client.query('select 1'));
    expect(await refuses(attempt)).toBe(true);
  });

  it('is made though somebody gave up making it, whenever that was', async () => {
    for (const afterMs of [0, 200, 500, 1000, 2000]) {
      const giveUp = new AbortController();
      setTimeout(() => giveUp.abort(), afterMs);
      await refuses(subject.engine.createStandby(primary, standby, giveUp.signal));
    }
    await inStep();
    expect(await subject.engine.isInStep(primary, standby.id)).toBe(true);
  });

  it('that is gone is waited for even by a primary that was started anew, until that is let go', async () => {
    const { engine } = subject;
    await inStep();
    await engine.kill(standby.id);
    await engine.kill(primary.id);
    await engine.start(primary);
    await using client = await subject.connect({ ...OWNER, port: primary.port });
    let isAcknowledged = false;
    const insertion = client.query('insert into numbers values (1)').then(() => (isAcknowledged = true));
    await somebodyWaits();
    expect(isAcknowledged).toBe(false);
    await engine.setSynchronous(primary, null);
    await insertion;
    // It has less than was acknowledged, and that can be told even when the primary is dead.
    await engine.start(standby);
    await engine.kill(primary.id);
    expect(await engine.isInStep(primary, standby.id)).toBe(false);
  });

  it('is not in step when its customer ended a commit that waited for it, until it has that too', async () => {
    const { engine } = subject;
    await inStep();
    const pid = await subject.mainPid(standby.id);
    process.kill(pid, 'SIGSTOP');
    await using client = await subject.connect({ ...OWNER, port: primary.port });
    const [session] = await client.query('select connection_id() as id');
    const insertion = client.query('insert into numbers values (1)');
    await somebodyWaits();
    await using other = await subject.connect({ ...OWNER, port: primary.port });
    await other.query(`kill query ${String(session?.['id'])}`);
    await refuses(insertion);
    expect(await engine.isInStep(primary, standby.id)).toBe(false);
    process.kill(pid, 'SIGCONT');
    await eventually('it has caught up', () => engine.isInStep(primary, standby.id));
    await engine.kill(primary.id);
    await engine.promote(standby);
    await using after = await subject.connect({ ...OWNER, port: standby.port });
    expect(await after.query('select * from numbers')).toEqual([{ n: 1 }]);
  });

  it('that was started anew is in step only when it has caught up with a primary that lives', async () => {
    const { engine } = subject;
    await inStep();
    await engine.kill(standby.id);
    await engine.kill(primary.id);
    await engine.start(standby);
    expect(await engine.isInStep(primary, standby.id)).toBe(false);
    await engine.start(primary);
    await eventually('they have found each other', () => engine.isInStep(primary, standby.id));
    await engine.kill(primary.id);
    expect(await engine.isInStep(primary, standby.id)).toBe(true);
  });

  it('has the tables without transactions too, and what was not committed is not there', async () => {
    const { engine } = subject;
    await using client = await subject.connect({ ...OWNER, port: primary.port });
    await client.query('create table plain (n int) engine = aria');
    await client.query('create table plainer (n int) engine = myisam');
    await client.query('insert into plain values (1)');
    await client.query('insert into plainer values (1)');
    await client.query('begin');
    await client.query('insert into numbers values (7)');
    await inStep();
    await engine.kill(primary.id);
    await engine.promote(standby);
    await using after = await subject.connect({ ...OWNER, port: standby.port });
    expect(await after.query('select * from plain, plainer')).toHaveLength(1);
    expect(await after.query('select * from numbers')).toEqual([]);
  });

  it('lets the primary forget what it has, so that the log for it stays small', async () => {
    await inStep();
    await using client = await subject.connect({ ...OWNER, port: primary.port });
    await client.query('create table wide (n int auto_increment primary key, text longtext)');
    for (let round = 0; round < 24; round++) {
      await client.query("insert into wide (text) values (repeat('x', 4000000))");
    }
    await eventually('it has all', () => subject.engine.isInStep(primary, standby.id));
    const logs = await subject.ask(primary.id, 'show binary logs');
    expect(logs.reduce((sum, row) => sum + Number(row['File_size']), 0)).toBeLessThan(48_000_000);
  });
});
