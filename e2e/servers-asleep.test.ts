import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, visit, type Application, type Deployer } from './deploying.ts';
import { runningInstances, startPlatform, until, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

/** Sleeping and waking, on the whole platform. */
const CYCLES = 100;

let platform: Platform;
let deployer: Deployer;
let application: Application;

beforeAll(async () => {
  platform = await startPlatform({
    env: { LILAC_RATE_LIMIT: '1000000', LILAC_IDLE_TO_ZERO_AFTER: '100ms', LILAC_SCALE_DOWN_AFTER: '100ms' },
  });
  deployer = createDeployer(platform, await createAccount(platform));
  application = await deployer.createFromFiles('Sleeper', serverApp('awake'), {
    deploymentType: 'container',
  });
  await deployer.healthy((await deployer.newest(application)).id);
});
afterAll(() => platform?.[Symbol.asyncDispose]());

it(`goes to sleep and wakes ${CYCLES} times, and no request fails`, async () => {
  let [last, wakes] = ['', 0];
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const { status, body } = await visit(application.url, '/instance');
    expect(status, body).toBe(200);
    if (body !== last) wakes++;
    last = body;
    await until('it sleeps', () => !runningInstances(platform).includes(body));
  }
  expect(wakes).toBe(CYCLES);
}, 600_000);

it('wakes as many as a burst needs: not one for each request, and not just one', async () => {
  await until('it sleeps', () => runningInstances(platform).length === 0);
  const answers = await Promise.all(Array.from({ length: 200 }, () => visit(application.url, '/instance-slowly')));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  // An instance is given 80 requests at a time, and the plan allows three instances.
  const instances = new Set(answers.map(({ body }) => body));
  expect(instances.size).toBeGreaterThan(1);
  expect(instances.size).toBeLessThanOrEqual(3);
}, 120_000);

it('is held awake by a range that begins above zero', async () => {
  const { client, targetOrganisationId } = deployer;
  const { environmentId } = application;
  await client.call('environments.scale', { body: { targetOrganisationId, environmentId, minInstances: 1 } });
  const { body } = await visit(application.url, '/instance');
  await expect(until('it sleeps', () => !runningInstances(platform).includes(body), 3000)).rejects.toThrow(
    'Waited in vain',
  );
});
