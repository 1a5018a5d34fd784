import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../lib/exec.ts';
import { makeDatabase, OWNER, refuses, specFor } from '../conformance-subject.ts';
import type { ServerPlace } from '../host/server-host.ts';
import type { ServerSpec } from '../server.ts';
import { connectAsOwner, connectAsPlatform } from './connect.ts';
import { PLATFORM_ROLE, REPLICATION_ROLE } from './host-based-access.ts';
import { findPrograms } from './programs.ts';
import { parseSegments } from './shared-memory.ts';
import { openPostgresql, type PostgresqlSubject } from './testing/postgresql-subject.ts';

function loginAt({ port }: ServerSpec): pg.ClientConfig {
  const { databaseName: database, user, password } = OWNER;
  return { host: '127.0.0.1', port, database, user, password };
}

/** As long as the address of a socket lets LILAC_HOME be. */
const LONG_NAME = `lilac-${'long-'.repeat(13)}`;

describe('PostgreSQL', async () => {
  const [newest] = await findPrograms(null);
  if (!newest) throw new Error('there is no PostgreSQL here');
  let subject: PostgresqlSubject;
  const made: string[] = [];
  beforeAll(async () => {
    subject = await openPostgresql(newest, LONG_NAME);
  });
  afterAll(() => subject[Symbol.asyncDispose]());
  afterEach(async () => {
    for (const id of made.splice(0)) await subject.engine.destroy(id);
  });
  const specOf = async (id: string, changes: Partial<ServerSpec> = {}) => {
    made.push(id);
    return specFor(subject, id, changes);
  };
  const placeOf = async ({ id }: ServerSpec): Promise<ServerPlace> => {
    const place = await subject.host.find(id);
    if (!place) throw new Error('there is no place');
    return place;
  };
  const tell = async (spec: ServerSpec, statement: string) => {
    await using session = await connectAsPlatform((await placeOf(spec)).home);
    return (await session.client.query<Record<string, unknown>>(statement)).rows;
  };

  const pair = async (name: string) => ({
    primary: await specOf(`${name}_one`, { databaseId: `db_${name}` }),
    standby: await specOf(`${name}_two`, { databaseId: `db_${name}`, role: 'standby' }),
  });
  const slots = (spec: ServerSpec) => tell(spec, 'select slot_name::text as name from pg_replication_slots');

  it('is reached through its socket by the platform and the owner, and by the platform in no other way', async () => {
    const spec = await specOf('dbs_socket');
    await makeDatabase(subject, spec);
    const { home } = await placeOf(spec);
    expect(await tell(spec, 'select current_user::text as me')).toEqual([{ me: PLATFORM_ROLE }]);
    {
      await using owner = await connectAsOwner(home, OWNER);
      expect((await owner.client.query('select current_user::text as me')).rows).toEqual([{ me: OWNER.user }]);
    }
    expect(await refuses(connectAsOwner(home, { ...OWNER, password: 'another-password' }))).toBe(true);
    for (const user of [PLATFORM_ROLE, REPLICATION_ROLE]) {
      const attempt = subject.connect({ ...OWNER, user, port: spec.port });
      await expect(attempt).rejects.toThrow(/rejects connection/);
    }
    const follower = new pg.Client({ ...loginAt(spec), replication: 'true' } as pg.ClientConfig);
    follower.on('error', () => {});
    await expect(follower.connect()).rejects.toThrow(/pg_hba|replication/);
  });

  it('minds nothing that its customer sets for his database', async () => {
    const spec = await specOf('dbs_tricks');
    await makeDatabase(subject, spec);
    const client = await subject.connect({ ...OWNER, port: spec.port });
    await client.query(`alter database ${OWNER.databaseName} set default_transaction_read_only = on`);
    await client.query(`alter database ${OWNER.databaseName} set statement_timeout = 1`);
    await client.query(`alter database ${OWNER.databaseName} set role = ${OWNER.user}`);
    await client.query(`alter role ${OWNER.user} set search_path = nowhere`);
    await client[Symbol.asyncDispose]();
    await using session = await connectAsPlatform((await placeOf(spec)).home, OWNER.databaseName);
    await session.client.query('create table public.ours (n int)');
    const { rows } = await session.client.query<{ me: string }>('select current_user::text as me, pg_sleep(0.05)');
    expect(rows[0]?.me).toBe(PLATFORM_ROLE);
  });

  it('holds as many locks as a schema of thousands of tables takes, on the smallest tier', async () => {
    const spec = await specOf('dbs_locks');
    await makeDatabase(subject, spec);
    await using owner = await subject.connect({ ...OWNER, port: spec.port });
    const locks = 'select count(pg_advisory_xact_lock(i))::int as n from generate_series(1, 12000) i';
    expect(await owner.query(locks)).toEqual([{ n: 12_000 }]);
  });

  it.each(['allow_connections false', 'is_template true', 'connection limit 0'])(
    'gets into a database whose owner has said %s, and opens it again',
    async (flag) => {
      const { engine } = subject;
      const spec = await specOf('dbs_shut');
      await makeDatabase(subject, spec);
      const { home } = await placeOf(spec);
      const shut = async () => {
        await using owner = await connectAsOwner(home, OWNER);
        await owner.client.query('select 1');
        await tell(spec, `set role ${OWNER.user}; alter database ${OWNER.databaseName} ${flag}`);
      };
      await shut();
      for (const connect of [() => connectAsPlatform(home, OWNER.databaseName), () => connectAsOwner(home, OWNER)]) {
        await using session = await connect();
        expect((await session.client.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
      }
      await shut();
      await engine.usage(spec);
      await using client = await subject.connect({ ...OWNER, port: spec.port });
      expect(await client.query('select 1 as n')).toEqual([{ n: 1 }]);
      expect(
        await tell(
          spec,
          `select datallowconn, datistemplate, datconnlimit from pg_database where datname = '${OWNER.databaseName}'`,
        ),
      ).toEqual([{ datallowconn: true, datistemplate: false, datconnlimit: -1 }]);
      await shut();
      await engine.empty(spec, OWNER);
    },
  );

  it('does not start where somebody else listens by IPv4 only', async () => {
    const spec = await specOf('dbs_port');
    await subject.engine.create(spec);
    const other = createServer().listen(spec.port, '0.0.0.0');
    await once(other, 'listening');
    await expect(subject.engine.start(spec)).rejects.toThrow(`Port ${spec.port} is taken`);
    other.close();
    await once(other, 'close');
    await subject.engine.start(spec);
  });

  it('leaves no shared memory behind, though it was killed', async () => {
    const spec = await specOf('dbs_memory');
    await subject.engine.create(spec);
    await subject.engine.start(spec);
    const uid = (await placeOf(spec)).uid ?? process.getuid?.();
    const segments = () => parseSegments(readFileSync('/proc/sysvipc/shm', 'utf8')).filter((each) => each.uid === uid);
    expect(segments()).toHaveLength(1);
    await subject.engine.kill(spec.id);
    await subject.engine.start(spec);
    expect(segments()).toHaveLength(1);
    await subject.engine.kill(spec.id);
    expect(segments()).toHaveLength(1);
    await subject.engine.destroy(spec.id);
    expect(segments()).toHaveLength(0);
  });

  it('that ran into the end of its volume starts again, reads, and takes writes when there is room', async ({
    skip,
  }) => {
    const { engine, host } = subject;
    const spec = await specOf('dbs_wall');
    await makeDatabase(subject, spec);
    const place = await placeOf(spec);
    const { usedBytes, hardBytes } = await host.space(place);
    if (hardBytes === null) {
      skip('volumes cannot be made here');
      return;
    }
    await using client = await subject.connect({ ...OWNER, port: spec.port });
    await client.query('create table kept as select 1 as n');
    const ballast = join(place.home, '..', 'ballast');
    const room = 8 * 1024 ** 2;
    const fill = ['fallocate', '--length', String(hardBytes - usedBytes - room), ballast] as const;
    expect((await run(fill, { env: { PATH: '/usr/bin:/bin' } })).exitCode).toBe(0);
    // Nothing but the log of transactions is written, which cannot do without its next file.
    const write = "select pg_logical_emit_message(true, 'x', repeat('x', 1000000)) from generate_series(1, 200)";
    expect(await refuses(tell(spec, write))).toBe(true);
    await engine.kill(spec.id);
    await engine.start(spec);
    expect(await engine.probe(spec, 10_000)).toEqual({ isPrimary: true, isWritable: false });
    await using reader = await subject.connect({ ...OWNER, port: spec.port });
    expect(await reader.query('select n from kept')).toEqual([{ n: 1 }]);
    expect(await refuses(reader.query('insert into kept values (2)'))).toBe(true);
    rmSync(ballast);
    await engine.setWritable(spec, true);
    await reader.query('insert into kept values (2)');
    const after = await host.space(place);
    expect(after.hardBytes).toBeLessThan(hardBytes + room);
  });

  describe('with a standby', () => {
    it('keeps nothing for one that is no more', async () => {
      const { primary, standby } = await pair('dbs_slot');
      await makeDatabase(subject, primary);
      await subject.engine.createStandby(primary, standby);
      expect(await slots(primary)).toEqual([{ name: standby.id }]);
      await subject.engine.destroy(standby.id);
      expect(await slots(primary)).toEqual([]);
    });

    it('waits for none that does not follow', async () => {
      const { primary, standby } = await pair('dbs_none');
      await makeDatabase(subject, primary);
      await expect(subject.engine.setSynchronous(primary, standby.id)).rejects.toThrow('does not follow');
      await using client = await subject.connect({ ...OWNER, port: primary.port });
      await client.query('create table goes_on (n int)');
    });

    it('says so when it is gone, and does not wait for ever', async () => {
      const { engine } = subject;
      const { primary, standby } = await pair('dbs_gone');
      const owner = { user: OWNER.user, password: 'second-password-2' };
      await makeDatabase(subject, primary);
      await engine.createStandby(primary, standby);
      await engine.setSynchronous(primary, standby.id);
      await engine.kill(standby.id);
      await expect(engine.setPassword(primary, owner)).rejects.toThrow('standby');
      await engine.setSynchronous(primary, null);
      await engine.setPassword(primary, owner);
      await using _client = await subject.connect({ ...OWNER, ...owner, port: primary.port });
    });

    it('is not made over by mistake when it is the primary', async () => {
      const { engine } = subject;
      const { primary, standby } = await pair('dbs_over');
      await makeDatabase(subject, primary);
      await engine.createStandby(primary, standby);
      await engine.kill(primary.id);
      await engine.promote(standby);
      await engine.start(primary);
      await expect(engine.createStandby(primary, standby)).rejects.toThrow('is a primary');
      expect(await engine.probe(standby, 10_000)).toEqual({ isPrimary: true, isWritable: true });
    });

    it('takes no customer in at the standby', async () => {
      const { primary, standby } = await pair('dbs_shut');
      await makeDatabase(subject, primary);
      await subject.engine.createStandby(primary, standby);
      expect(await refuses(subject.connect({ ...OWNER, port: standby.port }))).toBe(true);
      await subject.engine.setAccess(standby);
      expect(await refuses(subject.connect({ ...OWNER, port: standby.port }))).toBe(true);
    });

    it('follows while the tier is changed, whichever of the two is restarted first', async () => {
      const { primary, standby } = await pair('dbs_tier');
      const { engine } = subject;
      const restart = async (spec: ServerSpec, memoryMb: number) => {
        const resized = { ...spec, size: { ...spec.size, memoryMb } };
        await engine.stop(spec.id);
        await engine.start(resized);
      };
      await makeDatabase(subject, primary);
      await engine.createStandby(primary, standby);
      for (const memoryMb of [4096, 614]) {
        await restart(standby, memoryMb);
        await restart(primary, memoryMb);
        await engine.createStandby(primary, standby);
        expect(engine.isRunning(standby.id)).toBe(true);
      }
    });
  });
});
