import { expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { eventually } from '../testing/eventually.ts';
import { createTestStore } from '../testing/test-store.ts';
import { createChannelHub } from './channel-hub.ts';
import { MACHINES_CHANNEL, purgeSilentMachines, readMachineAddresses } from './machine-store.ts';
import { tellMachine } from './tell-machine.ts';

it('every process says which addresses its machine has, and others hear of it when these are other ones', async () => {
  await using store = await createTestStore();
  const { db } = store;
  let heard = 0;
  const listener = createChannelHub(store, [MACHINES_CHANNEL]).listen({
    channels: [MACHINES_CHANNEL],
    onNotification: () => (heard += 1),
    onConnect: () => (heard += 1),
  });
  await eventually('it listens', () => heard === 1);
  let addresses = ['10.0.0.1', '203.0.113.7'];
  const given = { store, log: silentLog, lookMs: 10 };
  const stops = [
    tellMachine({ ...given, name: 'one worker', addresses: () => addresses }),
    tellMachine({ ...given, name: 'two edge', addresses: () => ['10.0.0.1', '2001:db8::2'] }),
  ];
  try {
    await eventually('both are heard of', () => heard === 3);
    expect(await readMachineAddresses(db)).toEqual(['10.0.0.1', '2001:db8::2', '203.0.113.7']);
    addresses = ['10.0.0.1', '203.0.113.8'];
    await eventually('the new ones are heard of', () => heard === 4);
    expect(await readMachineAddresses(db)).toEqual(['10.0.0.1', '2001:db8::2', '203.0.113.8']);
  } finally {
    for (const stop of stops) stop();
    await listener.close();
  }
  // What is said again is no news, and what was said stays, until nobody has said it for very long.
  await purgeSilentMachines(db);
  expect(await readMachineAddresses(db)).toHaveLength(3);
  expect(heard).toBe(4);
  await store.pool.query(`update machines set seen_at = now() - interval '31 days' where name = 'two edge'`);
  await purgeSilentMachines(db);
  expect(await readMachineAddresses(db)).toEqual(['10.0.0.1', '203.0.113.8']);
});

it('what could not be written is written as soon as it can be', async () => {
  await using store = await createTestStore();
  let isAway = true;
  const db = new Proxy(store.db, {
    get(target, name) {
      if (isAway && name === 'getExecutor') throw new Error('the store is away');
      const found = Reflect.get(target, name) as unknown;
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
  const stop = tellMachine({ store: { db }, name: 'one', log: silentLog, addresses: () => ['10.0.0.1'], lookMs: 10 });
  try {
    isAway = false;
    await eventually('it is there', async () => (await readMachineAddresses(store.db)).length === 1);
    expect(await readMachineAddresses(store.db)).toEqual(['10.0.0.1']);
  } finally {
    stop();
  }
});
