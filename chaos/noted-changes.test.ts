import { expect, it } from 'vitest';
import { createApplication } from './actions/passing.ts';
import { rename } from './actions/sleeper.ts';
import { enlarge } from './faults/databases.ts';
import { Ledger } from './ledger.ts';
import { Outages } from './outages.ts';
import type { Step } from './plan.ts';
import type { Scene } from './scene.ts';

/** A scene whose API answers everything with this. */
function sceneWith(call: () => Promise<unknown>, rest: object = {}): Scene {
  return {
    ledger: new Ledger(),
    outages: new Outages(),
    events: { tell: () => {}, about: () => [] },
    deployer: { client: { call }, targetOrganisationId: 'org_1', upload: async () => 'upl_1' },
    addresses: new Set(),
    losses: [],
    ...rest,
  } as unknown as Scene;
}

const step = (name: Step['name']): Step => ({ number: 1, atMs: 0, lane: name, name, roll: 1 });

it('that a database is made larger is noted, once that is acknowledged', async () => {
  let storageGb = 1;
  const answers = [() => Promise.reject(new Error('socket hang up')), async () => (storageGb = 2)];
  const databases = { get: async () => ({ storage_gb: storageGb }) };
  const scene = sceneWith(() => answers.shift()!(), { databases });
  scene.ledger.ask('storage db_1', '1').acknowledged();
  await enlarge(scene, { id: 'db_1' }, step('fill-database'));
  expect(scene.ledger.allowed('storage db_1')).toEqual(['2']);
  expect(scene.losses).toEqual([]);
});

it('every address that an application is given is noted', async () => {
  const url = 'http://application-1.localhost';
  const created = sceneWith(async () => ({ id: 'app_1', url }), { passing: { applications: new Map() } });
  await createApplication(created, step('create-application'));
  expect([...created.addresses]).toEqual([url]);
  const sleeper = { id: 'app_2', url: 'http://sleeper.localhost' };
  const renamed = sceneWith(async () => ({ url: 'http://sleeper-1.localhost' }), { sleeper });
  await rename(renamed, step('rename'));
  expect([...renamed.addresses]).toEqual(['http://sleeper-1.localhost']);
});
