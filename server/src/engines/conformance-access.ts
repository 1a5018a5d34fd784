import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  LOCAL,
  makeDatabase,
  outerAddress,
  OWNER,
  refuses,
  specFor,
  type EngineSubject,
} from './conformance-subject.ts';
import type { AccessRules, ServerSpec } from './server.ts';

/** Somebody who has not said yet who he is. */
function connectTo(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let isOver = false;
  socket.once('close', () => (isOver = true)).resume();
  return {
    opened: once(socket, 'connect'),
    hasEnded: () => isOver,
    [Symbol.asyncDispose]: async () => void socket.destroy(),
  };
}

/** Who comes in, from where, and how far. */
export function conformAccess(subject: () => EngineSubject): void {
  describe('the owner of a database', () => {
    let spec: ServerSpec;
    let password = OWNER.password;
    const client = (changes: object = {}) => subject().connect({ ...OWNER, password, port: spec.port, ...changes });
    const admit = (access: AccessRules) => subject().engine.setAccess({ ...spec, access });
    beforeAll(async () => {
      spec = await specFor(subject(), 'dbs_access');
      await makeDatabase(subject(), spec);
    });
    afterAll(async () => {
      await subject().engine.destroy(spec.id);
    });

    it('does everything within it', async () => {
      await using owner = await client();
      await owner.query('create table things (id int primary key, name varchar(100))');
      await owner.query("insert into things values (1, 'Grüße, 世界 🌍')");
      await owner.query('create view names as select name from things');
      await owner.query('alter table things add column more int');
      expect(await owner.query('select name from names')).toEqual([{ name: 'Grüße, 世界 🌍' }]);
      await owner.query('drop view names');
      await owner.query('drop table things');
    });

    it('reaches nothing beyond it', async () => {
      await using owner = await client();
      await owner.query('create table place (line varchar(1000))');
      const accepted: string[] = [];
      for (const statement of subject().forbidden) {
        if (!(await refuses(owner.query(statement)))) accepted.push(statement);
      }
      expect(accepted).toEqual([]);
    });

    it('is known by the password', async () => {
      expect(await refuses(client({ password: 'another-password' }))).toBe(true);
      expect(await refuses(client({ password: '' }))).toBe(true);
      expect(await refuses(client({ user: 'bob' }))).toBe(true);
    });

    it('comes from where it may, and changes of that need no restart', async () => {
      const pid = await subject().mainPid(spec.id);
      await admit({ ...LOCAL, instanceNetworks: ['127.0.0.8/30'] });
      await using inside = await client({ from: '127.0.0.9' });
      expect(await refuses(client({ from: '127.0.0.5' }))).toBe(true);
      await admit({ ...LOCAL, instanceNetworks: ['127.0.0.4/30'] });
      await inside.ended;
      expect(await refuses(client({ from: '127.0.0.9' }))).toBe(true);
      await using _other = await client({ from: '127.0.0.5' });
      await admit(LOCAL);
      expect(await _other.query('select 1 as n')).toEqual([{ n: 1 }]);
      expect(await subject().mainPid(spec.id)).toBe(pid);
    });

    it('comes from where it may once that is looked after, and nobody is disturbed where all is right', async () => {
      const { engine } = subject();
      const other = { ...LOCAL, instanceNetworks: ['127.0.0.4/30'] };
      await using early = await client({ from: '127.0.0.9' });
      await using entering = connectTo(spec.port);
      await entering.opened;
      await engine.keepAccess(spec);
      expect(await early.query('select 1 as n')).toEqual([{ n: 1 }]);
      expect(entering.hasEnded()).toBe(false);
      await engine.keepAccess({ ...spec, access: other });
      await early.ended;
      expect(await refuses(client({ from: '127.0.0.9' }))).toBe(true);
      await using _late = await client({ from: '127.0.0.5' });
      await admit(LOCAL);
    });

    it('comes from nowhere when nowhere is said', async () => {
      await admit({ networks: [], instanceNetworks: [], ownAddresses: [] });
      expect(await refuses(client())).toBe(true);
      await admit({ networks: ['203.0.113.0/24'], instanceNetworks: [], ownAddresses: [] });
      expect(await refuses(client())).toBe(true);
      await admit(LOCAL);
      await using owner = await client();
      expect(await owner.query('select 1 as n')).toEqual([{ n: 1 }]);
    });

    it('keeps what it was granted over changes of where it comes from', async () => {
      await using before = await client();
      await before.query('create table mine (n int)');
      await admit({ networks: ['203.0.113.0/24'], instanceNetworks: [], ownAddresses: [] });
      await admit(LOCAL);
      await using after = await client();
      await after.query('insert into mine values (1)');
      expect(await after.query('select n from mine')).toEqual([{ n: 1 }]);
      await after.query('drop table mine');
    });

    it('encrypts on loopback when it likes', async () => {
      await admit({ networks: ['0.0.0.0/0', '::/0'], instanceNetworks: [], ownAddresses: [] });
      await using plain = await client();
      expect(await plain.isEncrypted()).toBe(false);
      await using encrypted = await client({ encrypted: true });
      expect(await encrypted.isEncrypted()).toBe(true);
      await admit(LOCAL);
    });

    const outer = outerAddress();
    it.runIf(outer)('must encrypt where it comes from elsewhere', async () => {
      const from = { host: outer, from: outer };
      await admit({ networks: ['0.0.0.0/0', '::/0'], instanceNetworks: [], ownAddresses: [] });
      expect(await refuses(client(from))).toBe(true);
      await using encrypted = await client({ ...from, encrypted: true });
      expect(await encrypted.isEncrypted()).toBe(true);
      await admit(LOCAL);
      await encrypted.ended;
    });

    it.runIf(outer)('comes from an instance without, but not from the machine that the instance is on', async () => {
      const from = { host: outer, from: outer };
      await admit({ networks: [], instanceNetworks: [`${outer}/32`], ownAddresses: [] });
      await using plain = await client(from);
      expect(await plain.isEncrypted()).toBe(false);
      await admit({ networks: [], instanceNetworks: [`${outer}/32`], ownAddresses: [outer ?? ''] });
      await plain.ended;
      expect(await refuses(client(from))).toBe(true);
      expect(await refuses(client({ ...from, encrypted: true }))).toBe(true);
      await admit(LOCAL);
    });

    it('has another password from one moment on, and the sessions of the old one end', async () => {
      const { engine } = subject();
      await using before = await client();
      await engine.setPassword(spec, { user: OWNER.user, password: 'second-password-2' });
      expect(await refuses(before.query('select 1'))).toBe(true);
      await before.ended;
      expect(await refuses(client())).toBe(true);
      password = 'second-password-2';
      await using after = await client();
      expect(await after.query('select 1 as n')).toEqual([{ n: 1 }]);
      // The same again, as after a crash.
      await engine.setPassword(spec, { user: OWNER.user, password });
      await using _again = await client();
    });

    it('gets in with the old password no more, however hard it tries', async () => {
      const old = password;
      let isDone = false;
      let late = 0;
      const storm = Array.from({ length: 6 }, async () => {
        for (let wasDone = false; !wasDone;) {
          wasDone = isDone;
          if (!(await refuses(subject().connect({ ...OWNER, password: old, port: spec.port }))) && wasDone) late++;
        }
      });
      await subject().engine.setPassword(spec, { user: OWNER.user, password: 'third-password-3' });
      isDone = true;
      password = 'third-password-3';
      await Promise.all(storm);
      expect(late).toBe(0);
      await using after = await client();
      expect(await after.query('select 1 as n')).toEqual([{ n: 1 }]);
    });

    it('has everything anew when its database is emptied', async () => {
      const { engine } = subject();
      const owner = { ...OWNER, password };
      await using before = await client();
      await before.query('create table left_over (n int)');
      await engine.empty(spec, owner);
      await engine.empty(spec, owner);
      await using after = await client();
      expect(await refuses(after.query('select n from left_over'))).toBe(true);
      await after.query('create table left_over (n int)');
    });
  });
}
