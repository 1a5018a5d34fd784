import { expect, it } from 'vitest';
import { NotLeading, soleLeadership } from '../../../jobs/leadership.ts';
import { silentLog } from '../../../lib/log.ts';
import { createChannelHub } from '../../../routing/channel-hub.ts';
import { MACHINES_CHANNEL } from '../../../routing/machine-store.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createDatabase, createOwner } from '../../../testing/factories.ts';
import { startApi } from '../../../testing/harness.ts';
import { DATABASE_CHANNEL } from '../database-store.ts';
import { findHost } from '../find-host.ts';
import { renewLinkedJob } from '../job-kinds.ts';
import { announceHost } from './announce-host.ts';
import { keepDoors } from './keep-doors.ts';

it('every host learns where the databases are from who keeps them, and instances are renewed and told when that changes', async () => {
  await using api = await startApi();
  const { store } = api;
  const { db } = store;
  const { organisationId } = await createOwner(api);
  await createDatabase(api, { organisationId });
  await db.insertInto('leaderships').values({ name: 'databases', term: '1', worker: 'one', host: 'one' }).execute();
  const forgetRenewals = async () => {
    const { rowCount } = await store.pool.query('delete from jobs where kind = $1', [renewLinkedJob.name]);
    return rowCount;
  };
  let hostAddress = '10.0.0.1';
  let doorsAt: string | undefined;
  const runtime = {
    network: async () => ({ range: '10.0.0.0/24', hostAddress }),
    setDoors: async (_doors: unknown, host?: string) => void (doorsAt = host),
  };
  const given = { store, runtime, log: silentLog, lookMs: 50 };
  const doors = keepDoors({
    ...given,
    channels: createChannelHub(store, [DATABASE_CHANNEL, MACHINES_CHANNEL]),
    lookMs: 1e6,
  });
  const announcer = announceHost({ ...given, leadership: soleLeadership });
  expect(await findHost(db, api.config)).toBe('127.0.0.1');
  await announcer.start();
  await doors.start();
  try {
    expect(await findHost(db, api.config)).toBe('10.0.0.1');
    expect(doorsAt).toBe('10.0.0.1');
    expect(await forgetRenewals()).toBe(1);
    hostAddress = '10.0.0.2';
    await eventually('doors lead to where they are now', () => doorsAt === '10.0.0.2');
    expect(await forgetRenewals()).toBe(1);
  } finally {
    await Promise.all([announcer.stop(), doors.stop()]);
  }
});

it('one who does not keep the databases any more says nothing', async () => {
  await using api = await startApi();
  const { store } = api;
  await store.db
    .insertInto('leaderships')
    .values({ name: 'databases', term: '1', worker: 'two', host: 'two' })
    .execute();
  const refuses = { hold: () => Promise.reject(new NotLeading('Another worker leads the databases.')) };
  const runtime = { network: async () => ({ range: null, hostAddress: '10.0.0.1' }) };
  const announcer = announceHost({ store, runtime, leadership: refuses, log: silentLog });
  await announcer.start();
  await announcer.stop();
  expect(await findHost(store.db, api.config)).toBe('127.0.0.1');
});
