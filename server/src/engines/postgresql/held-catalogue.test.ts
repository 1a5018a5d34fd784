import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDatabase, OWNER, specFor } from '../conformance-subject.ts';
import { endOf, GOING } from '../explore/conformance-kit.ts';
import { homeOf } from '../host/places-of.ts';
import type { ServerSpec } from '../server.ts';
import { setPassword } from './accounts.ts';
import { connectAsOwner, connectAsPlatform } from './connect.ts';
import { explorePostgresql } from './explorer/create-explorer.ts';
import { EXPLORER_ROLE } from './host-based-access.ts';
import { findPrograms } from './programs.ts';
import { openPostgresql, type PostgresqlSubject } from './testing/postgresql-subject.ts';

/** An owner may change what the platform changes too, and leave his transaction open for as long as he likes. */
describe('what an owner holds for ever', async () => {
  const [newest] = await findPrograms(null);
  if (!newest) throw new Error('there is no PostgreSQL here');
  let subject: PostgresqlSubject;
  let spec: ServerSpec;
  let home: string;
  beforeAll(async () => {
    subject = await openPostgresql(newest);
    spec = await specFor(subject, 'dbs_held');
    await makeDatabase(subject, spec);
    home = await homeOf(subject.host, spec.id);
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  async function countWaiting(): Promise<number> {
    await using session = await connectAsPlatform(home);
    const { rows } = await session.client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock'`,
    );
    return rows[0]!.count;
  }

  it('keeps nobody waiting who reads, and no session of the platform', async () => {
    const explorer = explorePostgresql(subject.host)({ serverId: spec.id, ...OWNER });
    const read = () =>
      explorer.query(
        { text: 'select 1', parameters: [], readOnly: true, queryId: null, maxRows: 1, timeoutMs: 5000 },
        GOING,
      );
    expect(await endOf(read())).toBe('taken');
    await using owner = await connectAsOwner(home, OWNER);
    await owner.client.query(`revoke connect on database ${OWNER.databaseName} from ${EXPLORER_ROLE}`);
    await owner.client.query('begin');
    await owner.client.query(`grant connect on database ${OWNER.databaseName} to public`);
    expect(await endOf(read())).toBe('refused');
    expect(await countWaiting()).toBe(0);
    await owner.client.query('rollback');
    expect(await endOf(read())).toBe('taken');
    await owner.client.query(`alter database ${OWNER.databaseName} connection limit 0`);
    await owner.client.query('begin');
    await owner.client.query(`alter database ${OWNER.databaseName} connection limit 5`);
    expect(await endOf(read())).toBe('refused');
    expect(await countWaiting()).toBe(0);
    await owner.client.query('rollback');
    expect(await endOf(read())).toBe('taken');
  });

  it('keeps his password from nobody who changes it, were it a stranger who knew the one before', async () => {
    await using stranger = await connectAsOwner(home, OWNER);
    await stranger.client.query('begin');
    await stranger.client.query(`alter role ${OWNER.user} password 'mine'`);
    const password = 'another one of many letters';
    await setPassword(home, { user: OWNER.user, password });
    await expect(stranger.client.query('commit')).rejects.toThrow(/terminat|[Cc]onnection/);
    await using owner = await connectAsOwner(home, { ...OWNER, password });
    expect((await owner.client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
