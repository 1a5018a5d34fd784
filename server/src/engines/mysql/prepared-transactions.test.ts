import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDatabase, OWNER, refuses, specFor } from '../conformance-subject.ts';
import type { ServerSpec } from '../server.ts';
import { confirmed } from './confirmed.ts';
import { homeOf } from '../host/places-of.ts';
import { findPrograms } from './programs.ts';
import { openMysql, type MysqlSubject } from './testing/mysql-subject.ts';

const { programs } = await findPrograms();

describe.runIf(programs)('a transaction that was prepared and left', () => {
  let subject: MysqlSubject;
  let spec: ServerSpec;
  beforeAll(async () => {
    subject = await openMysql();
    spec = await specFor(subject, 'dbs_prepared', { size: { memoryMb: 614, cpus: 1, storageGb: 1 } });
    await makeDatabase(subject, spec);
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  const client = () => subject.connect({ ...OWNER, port: spec.port });
  const left = () => subject.ask(spec.id, 'xa recover');

  async function prepare(name: string): Promise<void> {
    await using session = await client();
    await session.query(`create or replace table ${name} (n int)`);
    await session.query(`xa start '${name}''s', 'b'`);
    await session.query(`insert into ${name} values (1)`);
    await session.query(`xa end '${name}''s', 'b'`);
    await session.query(`xa prepare '${name}''s', 'b'`);
  }

  it('does not hinder a database from being emptied, nor do sessions that hold something', async () => {
    await prepare('held');
    await using holder = await client();
    await holder.query('create table other (n int)');
    await holder.query('begin');
    await holder.query('insert into other values (1)');
    await subject.engine.empty(spec, OWNER);
    await holder.ended;
    expect(await left()).toEqual([]);
    await using after = await client();
    expect(await refuses(after.query('select n from held'))).toBe(true);
  });

  it('is named as what it is where it hinders something else, which is then given up on the server too', async () => {
    await prepare('held');
    const home = await homeOf(subject.host, spec.id);
    const dropping = confirmed(home, ({ connection }) => connection.query(`drop table ${OWNER.databaseName}.held`), {
      withinMs: 300,
    });
    await expect(dropping).rejects.toThrow('Somebody holds a lock in this database.');
    await subject.engine.empty(spec, OWNER);
    const still = "select id from information_schema.processlist where info like 'drop table%'";
    expect(await subject.ask(spec.id, still)).toEqual([]);
  });
});
