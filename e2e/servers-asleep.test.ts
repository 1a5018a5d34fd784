import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, visit, type Application, type Deployer } from './deploying.ts';
import { runningInstances, startPlatform, until, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

/** Sleeping and waking, on the whole platform. */
const SLEEPERS = 5;
const CYCLES = 20;

let platform: Platform;
let deployer: Deployer;
const applications: Application[] = [];

beforeAll(async () => {
  platform = await startPlatform({
    env: { LILAC_RATE_LIMIT: '1000000', LILAC_IDLE_TO_ZERO_AFTER: '100ms', LILAC_SCALE_DOWN_AFTER: '100ms' },
  });
  deployer = createDeployer(platform, await createAccount(platform));
  for (let number = 1; number <= SLEEPERS; number++) {
    const settings = { deploymentType: 'container' } as const;
    const application = await deployer.createFromFiles(`Sleeper ${number}`, serverApp('awake'), settings);
    await deployer.healthy((await deployer.newest(application)).id);
    applications.push(application);
  }
});
afterAll(() => platform?.[Symbol.asyncDispose]());

it(`they go to sleep and wake ${SLEEPERS * CYCLES} times, and no request fails`, async () => {
  const wakes = await Promise.all(applications.map(countWakes));
  console.log(`${wakes.reduce((sum, each) => sum + each, 0)} wakes, no request failed`);
  expect(wakes).toEqual(applications.map(() => CYCLES));
}, 600_000);

it('a burst wakes as many as it needs: not one for each request, and not just one', async () => {
  await until('all sleep', () => runningInstances(platform).length === 0);
  const [{ url }] = applications as [Application];
  const burst = Promise.all(Array.from({ length: 200 }, () => visit(url, '/instance-slowly')));
  // On a busy machine the first may have answered all before the others can.
  const woken = new Set<string>();
  await until('more than one was woken', () => {
    for (const id of runningInstances(platform)) woken.add(id);
    return woken.size > 1;
  });
  const answers = await burst;
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  // An instance is given 80 requests at a time, and the plan allows three instances.
  expect(new Set(answers.map(({ body }) => body)).size).toBeLessThanOrEqual(3);
}, 120_000);

it('a range that begins above zero keeps one awake', async () => {
  const { client, targetOrganisationId } = deployer;
  const [{ environmentId }] = applications as [Application];
  await client.call('environments.scale', { body: { targetOrganisationId, environmentId, minInstances: 1 } });
  await until('one runs', () => runningInstances(platform).length === 1);
  const sleeps = until('it sleeps', () => runningInstances(platform).length === 0, 3000);
  await expect(sleeps).rejects.toThrow('Waited in vain');
});

/** Each cycle an instance that was not there before. */
async function countWakes({ url }: Application): Promise<number> {
  const seen = new Set<string>();
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const { status, body } = await visit(url, '/instance');
    if (status !== 200) throw new Error(`A visitor was answered ${status}: ${body}`);
    seen.add(body);
    await until('it sleeps', () => !runningInstances(platform).includes(body));
  }
  return seen.size;
}
