import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApplicationRow, DatabaseRow, EnvironmentRow } from '../server/src/db/schema.ts';
import { newId } from '../server/src/lib/ids.ts';
import {
  createApplication,
  createDatabase,
  createDeployment,
  createUpload,
  productionOf,
} from '../server/src/testing/factories.ts';
import type { Keyring } from '../server/src/secrets/keyring.ts';
import { createTestStore, type TestStore } from '../server/src/testing/test-store.ts';
import { readMoving } from './read-moving.ts';
import { createOrganisation } from './testing/create-organisation.ts';

const keyring = { seal: () => 'sealed' } as unknown as Keyring;

let store: TestStore;
let application: ApplicationRow;
let environment: EnvironmentRow;
let database: DatabaseRow;

/** An application that is deployed, and a database. */
beforeEach(async () => {
  store = await createTestStore();
  const organisationId = await createOrganisation(store);
  application = await createApplication({ store }, { organisationId });
  environment = await productionOf({ store }, application.id);
  await createDeployment({ store }, environment);
  database = await createDatabase({ store, keyring }, { organisationId });
});

afterEach(() => store[Symbol.asyncDispose]());

it('nothing moves where everything has come to an end, whichever', async () => {
  await createDeployment({ store }, environment, { status: 'failed' });
  await store.db.updateTable('databases').set({ status: 'failed', step: 'starting the server' }).execute();
  expect(await readMoving(store)).toEqual([]);
});

describe('what moves', () => {
  it.each(['pending', 'building', 'deploying'] as const)('is a deployment that is %s', async (status) => {
    const { id } = await createDeployment({ store }, environment, { status });
    expect(await readMoving(store)).toEqual([`deployment ${id} is ${status}`]);
  });

  it.each(['pending', 'deploying', 'deleting'] as const)('is an environment that is %s', async (status) => {
    await store.db.updateTable('environments').set({ status }).execute();
    expect(await readMoving(store)).toEqual([`environment ${environment.id} is ${status}`]);
  });

  it.each(['pending', 'building', 'deploying', 'deleting'] as const)('is an application that is %s', async (status) => {
    await store.db.updateTable('applications').set({ status }).execute();
    expect(await readMoving(store)).toEqual([`application ${application.id} is ${status}`]);
  });

  it.each(['provisioning', 'updating', 'deleting'] as const)('is a database that is %s', async (status) => {
    await store.db.updateTable('databases').set({ status, step: 'queued' }).execute();
    expect(await readMoving(store)).toEqual([`database ${database.id} is ${status}`]);
  });

  it.each(['healthy', 'degraded'] as const)('is a database that is %s in the middle of a step', async (status) => {
    await store.db.updateTable('databases').set({ status, step: 'checking' }).execute();
    expect(await readMoving(store)).toEqual([`database ${database.id} is ${status}, at the step "checking"`]);
  });

  it.each(['waiting', 'writing'] as const)('is a backup that is %s, and none that is over', async (status) => {
    const [moving] = [await createBackup(status), await createBackup('ready'), await createBackup('failed')];
    expect(await readMoving(store)).toEqual([`backup ${moving} is ${status}`]);
  });

  it('is an artifact that is packed while nobody builds', async () => {
    const id = newId('art');
    const { organisation_id, id: environment_id } = environment;
    await store.db.insertInto('artifacts').values({ id, organisation_id, environment_id, kind: 'static' }).execute();
    expect(await readMoving(store)).toEqual([`artifact ${id} is packing, and nobody builds`]);
    const building = await createDeployment({ store }, environment, { status: 'building' });
    expect(await readMoving(store)).toEqual([`deployment ${building.id} is building`]);
  });

  it('is an upload that nobody can complete any more', async () => {
    const { id } = await createUpload({ store }, { organisationId: environment.organisation_id });
    expect(await readMoving(store)).toEqual([]);
    const expires_at = new Date(Date.now() - 61 * 60 * 1000);
    await store.db.updateTable('uploads').set({ expires_at }).execute();
    expect(await readMoving(store)).toEqual([expect.stringContaining(`upload ${id} is reserved, until `)]);
  });

  it('is a job that waits or runs, and none of every hour or of much later', async () => {
    const add = (kind: string, values: { state?: string; lane?: string; minutes?: number } = {}) =>
      store.pool.query(
        `insert into jobs (kind, payload, state, lane, run_at, max_attempts)
         values ($1, '{}', $2, $3, now() + $4 * interval '1 minute', 3)`,
        [kind, values.state ?? 'queued', values.lane ?? null, values.minutes ?? 0],
      );
    await add('waits');
    await add('runs', { state: 'running' });
    await add('is-done', { state: 'done' });
    await add('is-of-every-hour', { lane: 'periodic sweep' });
    await add('is-due-later', { minutes: 5 });
    const moving = (await readMoving(store)).map((what) => /of (\S+) is (\w+)/.exec(what)?.slice(1).join(' '));
    expect(new Set(moving)).toEqual(new Set(['runs running', 'waits queued']));
  });
});

async function createBackup(status: 'waiting' | 'writing' | 'ready' | 'failed'): Promise<string> {
  const id = newId('bak');
  const { id: database_id, organisation_id } = database;
  const backup = { id, database_id, organisation_id, purpose: 'manual', status, object_key: `backups/${id}` } as const;
  await store.db.insertInto('database_backups').values(backup).execute();
  return id;
}
