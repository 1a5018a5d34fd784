import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDatabase, OWNER, refuses, specFor, type EngineSubject } from './conformance-subject.ts';
import type { ServerSpec } from './server.ts';

/** The brake in front of the end, and room for more. */
export function conformStorage(subject: () => EngineSubject): void {
  describe('a database that is nearly full', () => {
    let spec: ServerSpec;
    const client = () => subject().connect({ ...OWNER, port: spec.port });
    beforeAll(async () => {
      spec = await specFor(subject(), 'dbs_storage');
      await makeDatabase(subject(), spec);
      await using owner = await client();
      await owner.query('create table big (n int)');
      await owner.query('insert into big values (1)');
    });
    afterAll(async () => {
      await subject().engine.destroy(spec.id);
    });

    it('refuses writes, ends who writes, and goes on being read', async () => {
      const { engine } = subject();
      await using reader = await client();
      await using writer = await client();
      await writer.query('begin');
      await writer.query('insert into big values (2)');
      await engine.setWritable(spec, false);
      await writer.ended;
      expect(await reader.query('select n from big')).toEqual([{ n: 1 }]);
      expect(await refuses(reader.query('insert into big values (3)'))).toBe(true);
      await using late = await client();
      expect(await refuses(late.query('create table more (n int)'))).toBe(true);
      expect(await late.query('select n from big')).toEqual([{ n: 1 }]);
      expect(await engine.probe(spec, 10_000)).toEqual({ isPrimary: true, isWritable: false });
    });

    it('still does after a restart, and when it is said again', async () => {
      const { engine } = subject();
      await engine.setWritable(spec, false);
      await engine.stop(spec.id);
      await engine.start(spec);
      expect(await engine.probe(spec, 10_000)).toMatchObject({ isWritable: false });
      await using owner = await client();
      expect(await refuses(owner.query('insert into big values (3)'))).toBe(true);
    });

    it('lets its owner make room', async () => {
      await using owner = await client();
      for (const statement of subject().freeing) await owner.query(statement);
      expect(await refuses(owner.query('select n from big'))).toBe(true);
    });

    it('takes writes again, without a restart', async () => {
      const { engine } = subject();
      const pid = await subject().mainPid(spec.id);
      await engine.setWritable(spec, true);
      await engine.setWritable(spec, true);
      await using owner = await client();
      await owner.query('create table after_all (n int)');
      await owner.query('insert into after_all values (1)');
      expect(await engine.probe(spec, 10_000)).toEqual({ isPrimary: true, isWritable: true });
      expect(await subject().mainPid(spec.id)).toBe(pid);
    });

    it('grows without a restart, and never shrinks', async () => {
      const { engine } = subject();
      const pid = await subject().mainPid(spec.id);
      await using owner = await client();
      await engine.grow(spec.id, 3);
      await engine.grow(spec.id, 3);
      await engine.grow(spec.id, 2);
      expect(await owner.query('select 1 as n')).toEqual([{ n: 1 }]);
      expect(await subject().mainPid(spec.id)).toBe(pid);
    });
  });
}
