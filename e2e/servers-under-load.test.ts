import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, type Application, type Deployer } from './deploying.ts';
import { killRole } from './kill-role.ts';
import { describeTally, startLoad, type Load } from './load.ts';
import { runningInstances, startPlatform, until, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

/**
 * The promise "no dropped request", shown again and again: a constant load of 50 connections while a server is
 * released, rolled back and scaled, and while each process of the platform is killed. Only what a killed edge had in
 * its hands may be closed under a request. `whole-platform.ts` does each once, for every runtime.
 */
const CONNECTIONS = 50;
const ROUNDS = 20;

let platform: Platform;
let deployer: Deployer;
let application: Application;
let load: Load;
const releases: string[] = [];

beforeAll(async () => {
  platform = await startPlatform({
    env: { LILAC_RATE_LIMIT: '1000000', LILAC_EDGE_PROCESSES: '2', LILAC_SCALE_DOWN_AFTER: '500ms' },
  });
  deployer = createDeployer(platform, await createAccount(platform));
  application = await deployer.createFromFiles('Loaded', serverApp('release'), { deploymentType: 'container' });
  releases.push((await deployer.healthy((await deployer.newest(application)).id)).id);
  await scale(1, 3);
  load = startLoad({
    url: application.url,
    connections: CONNECTIONS,
    // A steady load, not as much as the machine can bear: builds and boots want the same two cores.
    pauseMs: 50,
    isRight: ({ status, body }) => status === 200 && body === 'release',
  });
});
afterAll(async () => {
  await load?.stop();
  await platform?.[Symbol.asyncDispose]();
});

/** What failed so far, once the load really went on. */
async function failuresAfter(what: string, before: number): Promise<string[]> {
  await until('the load goes on', () => load.tally.requests > before + 200);
  console.log(`${what}: ${describeTally(load.tally)}`);
  return load.tally.failures;
}

async function scale(minInstances: number, maxInstances: number): Promise<void> {
  const { client, targetOrganisationId } = deployer;
  const { environmentId } = application;
  await client.call('environments.scale', {
    body: { targetOrganisationId, environmentId, minInstances, maxInstances },
  });
}

it(`loses no request in ${ROUNDS} releases`, async () => {
  const before = load.tally.requests;
  for (let round = 0; round < ROUNDS; round++) {
    releases.push((await deployer.healthy(await deployer.deploy(application, serverApp('release')))).id);
  }
  expect(await failuresAfter(`${ROUNDS} releases`, before)).toEqual([]);
  expect(load.tally.closed).toBe(0);
}, 600_000);

it(`loses no request in ${ROUNDS} rollbacks`, async () => {
  const before = load.tally.requests;
  for (let round = 0; round < ROUNDS; round++) {
    const goal = releases.at(round % 2 === 0 ? -2 : -1)!;
    await deployer.rollBack(application, goal);
    await deployer.healthy(goal);
  }
  expect(await failuresAfter(`${ROUNDS} rollbacks`, before)).toEqual([]);
  expect(load.tally.closed).toBe(0);
}, 600_000);

it(`loses no request in ${ROUNDS} changes of scale`, async () => {
  const before = load.tally.requests;
  for (let round = 0; round < ROUNDS; round++) {
    const count = 1 + (round % 3);
    await scale(count, count);
    await until(`there are ${count}`, () => runningInstances(platform).length === count);
  }
  expect(await failuresAfter(`${ROUNDS} changes of scale`, before)).toEqual([]);
  expect(load.tally.closed).toBe(0);
}, 600_000);

it('loses no request when the api, the worker and each edge are killed one by one', async () => {
  const before = load.tally.requests;
  await killRole(platform, 'api', 0);
  await killRole(platform, 'worker', 0);
  expect(load.tally.closed).toBe(0);
  for (const index of [0, 1]) {
    const killedAt = load.tally.requests;
    await killRole(platform, 'edge', index);
    // All are connected anew, and have something to lose again.
    await until('all were answered since', () => load.tally.requests > killedAt + 5 * CONNECTIONS);
  }
  expect(await failuresAfter('kill -9 of api, worker and both edges', before)).toEqual([]);
  expect(load.tally.closed).toBeLessThanOrEqual(2 * CONNECTIONS);
}, 600_000);
