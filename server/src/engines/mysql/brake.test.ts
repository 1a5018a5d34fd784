import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDatabase, OWNER, refuses, specFor } from '../conformance-subject.ts';
import type { ServerSpec } from '../server.ts';
import { openMysql, type MysqlSubject } from './testing/mysql-subject.ts';

describe('the brake of MySQL', () => {
  let subject: MysqlSubject;
  let spec: ServerSpec;
  beforeAll(async () => {
    subject = await openMysql();
    spec = await specFor(subject, 'dbs_brake');
    await makeDatabase(subject, spec);
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  it('is pulled again where its owner has let go of it', async () => {
    const client = () => subject.connect({ ...OWNER, port: spec.port });
    await using early = await client();
    await early.query('create table big (n int)');
    await subject.engine.setWritable(spec, false);
    expect(await refuses(early.query('insert into big values (1)'))).toBe(true);
    await using late = await client();
    await late.query('set global read_only = off');
    await early.query('insert into big values (1)');
    await subject.engine.usage(spec);
    await early.ended;
    await using later = await client();
    expect(await refuses(later.query('insert into big values (2)'))).toBe(true);
    await subject.engine.usage(spec);
    await later.query('truncate table big');
    await subject.engine.setWritable(spec, true);
    await subject.engine.usage(spec);
    await using last = await client();
    await last.query('insert into big values (3)');
    expect(await last.query('select n from big')).toEqual([{ n: 3 }]);
  });
});
