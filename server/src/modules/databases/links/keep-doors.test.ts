import { expect, it } from 'vitest';
import { newId } from '../../../lib/ids.ts';
import { silentLog } from '../../../lib/log.ts';
import { createChannelHub } from '../../../routing/channel-hub.ts';
import { MACHINES_CHANNEL, noteMachine } from '../../../routing/machine-store.ts';
import type { DatabaseDoor } from '../../../runtime/runtime.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createDatabase, createOwner } from '../../../testing/factories.ts';
import { startApi } from '../../../testing/harness.ts';
import { DATABASE_CHANNEL, updateDatabase } from '../database-store.ts';
import { insertServer } from '../server-store.ts';
import { keepDoors } from './keep-doors.ts';

it('instances reach what the rows say: from the start, and whenever they say something else', async () => {
  await using api = await startApi();
  const { db } = api.store;
  const { organisationId } = await createOwner(api);
  const database = await createDatabase(api, { organisationId });
  let doors: readonly DatabaseDoor[] = [];
  let calls = 0;
  let isBroken = false;
  const runtime = {
    async setDoors(given: readonly DatabaseDoor[]) {
      calls += 1;
      if (isBroken) throw new Error('the firewall does not answer');
      doors = given;
    },
  };
  const channels = createChannelHub(api.store, [DATABASE_CHANNEL, MACHINES_CHANNEL]);
  const keeper = keepDoors({ store: api.store, channels, runtime, log: silentLog, lookMs: 100 });
  await keeper.start();
  try {
    expect(doors).toEqual([{ port: database.port, organisationId: null, isPrivate: false }]);
    await db.transaction().execute((tx) => updateDatabase(tx, database.id, { public_ip_enabled: false }));
    await eventually('it is private', () => doors[0]?.isPrivate === true);
    const before = calls;
    isBroken = true;
    const standby = { id: newId('dbs'), database_id: database.id, role: 'standby', port: 9999 } as const;
    await db.transaction().execute((tx) => insertServer(tx, standby));
    await eventually('it was tried twice', () => calls >= before + 2);
    isBroken = false;
    await eventually('its other server has a door', () => doors.length === 2);
    expect(doors[1]).toEqual({ port: 9999, organisationId, isPrivate: true });
  } finally {
    await keeper.stop();
  }
});

it('what keeps instances from machines hears of every address of these, and of new ones at once', async () => {
  await using api = await startApi();
  const { store } = api;
  const told: unknown[] = [];
  const runtime = {
    setDoors: async (_doors: unknown, _host?: string, machines?: readonly string[]) => void told.push(machines),
  };
  const channels = createChannelHub(store, [DATABASE_CHANNEL, MACHINES_CHANNEL]);
  await noteMachine(store.db, { name: 'one', addresses: ['10.0.0.1', '203.0.113.7'] });
  const keeper = keepDoors({ store, channels, runtime, log: silentLog, lookMs: 1e6 });
  await keeper.start();
  try {
    expect(told).toEqual([['10.0.0.1', '203.0.113.7']]);
    await noteMachine(store.db, { name: 'two', addresses: ['203.0.113.8'] });
    await eventually('it is told', () => told.length === 2);
    expect(told[1]).toEqual(['10.0.0.1', '203.0.113.7', '203.0.113.8']);
  } finally {
    await keeper.stop();
  }
});
