import { afterEach, describe, expect, it } from 'vitest';
import { eventually, makeDatabase, OWNER, specFor, type EngineSubject } from './conformance-subject.ts';
import { findLost, startWriters } from './conformance-writers.ts';
import type { ServerSpec } from './server.ts';

/** A second server that has what the first one acknowledged. */
export function conformStandby(subject: () => EngineSubject): void {
  const inStep = async (primary: ServerSpec, standby: ServerSpec) => {
    await subject().engine.createStandby(primary, standby);
    await subject().engine.setSynchronous(primary, standby.id);
  };

  describe('a standby', () => {
    const made: string[] = [];
    afterEach(async () => {
      for (const id of made.splice(0)) await subject().engine.destroy(id);
    });
    const specOf = async (id: string, changes: Partial<ServerSpec>) => {
      made.push(id);
      return specFor(subject(), id, { databaseId: 'db_pair', ...changes });
    };
    const pair = async () => ({
      primary: await specOf('dbs_one', { role: 'primary' }),
      standby: await specOf('dbs_two', { role: 'standby' }),
    });
    it('is made while the primary writes, takes over, and nothing is lost', async () => {
      const { engine } = subject();
      const { primary, standby } = await pair();
      await makeDatabase(subject(), primary);
      const writers = await startWriters(subject(), primary.port);
      await writers.untilMore(50);
      await engine.createStandby(primary, standby);
      expect(await engine.probe(standby, 10_000)).toEqual({ isPrimary: false, isWritable: false });
      expect(await engine.isInStep(primary, standby.id)).toBe(false);
      await engine.setSynchronous(primary, standby.id);
      expect(await engine.isInStep(primary, standby.id)).toBe(true);
      await writers.untilMore(200);
      await engine.kill(primary.id);
      await engine.promote(standby);
      await engine.promote(standby);
      expect(await engine.probe(standby, 10_000)).toEqual({ isPrimary: true, isWritable: true });
      writers.moveTo(standby.port);
      await writers.untilMore(100);
      await writers.stop();
      await using client = await subject().connect({ ...OWNER, port: standby.port });
      expect(await findLost(client, writers.acknowledged)).toEqual([]);
      // As a primary like any other: restarted, and with a standby of its own in the place of the old one.
      const promoted: ServerSpec = { ...standby, role: 'primary' };
      await engine.stop(promoted.id);
      await engine.start(promoted);
      expect(await engine.probe(promoted, 10_000)).toEqual({ isPrimary: true, isWritable: true });
      await engine.destroy(primary.id);
      const next = await specOf('dbs_three', { role: 'standby' });
      await inStep(promoted, next);
      expect(await engine.isInStep(promoted, next.id)).toBe(true);
    });

    it('that is gone lets commits wait, until the primary is told to wait for nobody', async () => {
      const { engine } = subject();
      const { primary, standby } = await pair();
      await makeDatabase(subject(), primary);
      await inStep(primary, standby);
      const writers = await startWriters(subject(), primary.port);
      await writers.untilMore(50);
      await engine.kill(standby.id);
      await eventually('it is noticed', async () => !(await engine.isInStep(primary, standby.id)));
      await engine.setSynchronous(primary, null);
      await engine.setSynchronous(primary, null);
      await writers.untilMore(50);
      // It goes on from where it was.
      await engine.start(standby);
      await inStep(primary, standby);
      await writers.untilMore(50);
      await writers.stop();
      expect(await engine.isInStep(primary, standby.id)).toBe(true);
      await engine.kill(primary.id);
      await engine.promote(standby);
      await using client = await subject().connect({ ...OWNER, port: standby.port });
      expect(await findLost(client, writers.acknowledged)).toEqual([]);
    });

    it('that was left half-made is made anew, and a whole one stays', async () => {
      const { engine } = subject();
      const { primary, standby } = await pair();
      await makeDatabase(subject(), primary);
      await inStep(primary, standby);
      const pid = await subject().mainPid(standby.id);
      await inStep(primary, standby);
      expect(await subject().mainPid(standby.id)).toBe(pid);
      await engine.setSynchronous(primary, null);
      await engine.kill(standby.id);
      await subject().spoil(standby.id);
      await inStep(primary, standby);
      expect(await engine.isInStep(primary, standby.id)).toBe(true);
    });

    it('has the password and the database that were made meanwhile', async () => {
      const { engine } = subject();
      const { primary, standby } = await pair();
      await engine.create(primary);
      await engine.start(primary);
      await inStep(primary, standby);
      await engine.createDatabase(primary, OWNER);
      await engine.setPassword(primary, { user: OWNER.user, password: 'changed-password-1' });
      await engine.kill(primary.id);
      await engine.promote(standby);
      await using client = await subject().connect({ ...OWNER, password: 'changed-password-1', port: standby.port });
      await client.query('create table taken_over (n int)');
      expect(await client.query('select n from taken_over')).toEqual([]);
    });

    it('that is given up leaves the primary as it was', async () => {
      const { engine } = subject();
      const { primary, standby } = await pair();
      await makeDatabase(subject(), primary);
      await inStep(primary, standby);
      await engine.setSynchronous(primary, null);
      await engine.destroy(standby.id);
      await engine.destroy(standby.id);
      await using client = await subject().connect({ ...OWNER, port: primary.port });
      await client.query('create table alone (n int)');
      expect(await engine.list()).not.toContain(standby.id);
    });
  });
}
