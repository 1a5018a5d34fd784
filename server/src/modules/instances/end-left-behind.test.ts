import { expect, it } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { publishRoute } from '../../routing/route-store.ts';
import type { Instance } from '../../runtime/runtime.ts';
import { createTestStore } from '../../testing/test-store.ts';
import { endLeftBehind } from './end-left-behind.ts';

/** Held by whoever leads. */
const LEADER_LOCK_CLASS = 0x6c_65_61;
const at = { host: '10.0.0.1', port: 1 };

it('instances are ended where another host keeps them now, but for those that edges are told of', async () => {
  await using store = await createTestStore();
  const { db } = store;
  const present = new Set(['ins_left', 'ins_serving', 'ins_tried']);
  const forgotten: string[] = [];
  const runtime = {
    list: async () => [...present].map((id) => ({ id }) as Instance),
    stop: async (id: string) => void present.delete(id),
    forgetOutput: async (id: string) => void forgotten.push(id),
  };
  const look = () => endLeftBehind({ store, runtime, host: 'one', log: silentLog });
  const target = {
    kind: 'instances' as const,
    deploymentId: 'dep_1',
    instances: [{ id: 'ins_serving', ...at }],
    concurrency: 1,
    maxInstances: 1,
    outage: null,
    probe: { token: 'secret', instances: [{ id: 'ins_tried', ...at }] },
  };
  await db.transaction().execute((tx) => publishRoute(tx, { environmentId: 'env_1', subdomain: 'app', target }));
  await db.transaction().execute((tx) => publishRoute(tx, { environmentId: 'env_2', subdomain: 'other' }));
  await look();
  await db.insertInto('leaderships').values({ name: 'instances', term: '2', worker: 'two', host: 'two' }).execute();
  await look();
  expect(present.size).toBe(3);
  const leader = store.newClient();
  await leader.connect();
  await leader.query('select pg_advisory_lock($1, hashtext($2))', [LEADER_LOCK_CLASS, 'instances']);
  try {
    await db.updateTable('leaderships').set({ host: 'one' }).execute();
    await look();
    expect(present.size).toBe(3);
    await db.updateTable('leaderships').set({ host: 'two' }).execute();
    await look();
    expect([...present]).toEqual(['ins_serving', 'ins_tried']);
    expect(forgotten).toEqual(['ins_left']);
  } finally {
    await leader.end();
  }
});
