/**
 * What do environments cost the platform itself? 200 that sleep and 20 that run, on one machine: the memory
 * of the platform's own processes, without the applications', before and after, per environment.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createAccount } from '../e2e/acknowledged-writes.ts';
import { createDeployer, visit } from '../e2e/deploying.ts';
import { runningInstances, startPlatform, until } from '../e2e/platform.ts';
import { serverApp } from '../e2e/server-app.ts';
import { memoryOfAll } from './measuring/memory.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const USUALLY_SLEEPING = 200;
const SLEEPING = roundsOf(USUALLY_SLEEPING);
const RUNNING = roundsOf(20);
const AT_A_TIME = 2;
const TARGET_MB = 0.3;

await using platform = await startPlatform({
  env: {
    LILAC_RATE_LIMIT: '1000000',
    LILAC_LOG_LEVEL: 'warn',
    LILAC_IDLE_TO_ZERO_AFTER: '3s',
    LILAC_SCALE_DOWN_AFTER: '1s',
  },
});
const deployer = createDeployer(platform, await createAccount(platform));
// What the first ones cost is code, pools and room for garbage, and is there once.
for (let number = 0; number < 20; number++) await create(`Warm up ${number}`, 0);
await until('they sleep', () => runningInstances(platform).length === 0);
const before = await memoryOf();

const wanted = [...Array.from({ length: SLEEPING }, () => 0), ...Array.from({ length: RUNNING }, () => 1)];
for (let first = 0; first < wanted.length; first += AT_A_TIME) {
  const batch = wanted.slice(first, first + AT_A_TIME);
  await Promise.all(batch.map((minInstances, at) => create(`Environment ${first + at}`, minInstances)));
}
await until('the others sleep', () => runningInstances(platform).length === RUNNING);
const after = await memoryOf();

const each = (after.total - before.total) / (SLEEPING + RUNNING);
for (const [role, megabytes] of Object.entries(after.byRole)) {
  const was = before.byRole[role] ?? 0;
  console.log(`${role.padEnd(10)} ${was.toFixed(0)} MB, then ${megabytes.toFixed(0)} MB`);
}
report({
  name: "an environment's part of the platform's own memory",
  unit: 'MB',
  ours: each,
  // Of a few the growth that comes with the first is too large a part.
  bar: SLEEPING < USUALLY_SLEEPING ? undefined : { of: 'ours', atMost: TARGET_MB },
});

async function create(name: string, minInstances: number): Promise<void> {
  const application = await deployer.createFromFiles(name, serverApp(name), { deploymentType: 'container' });
  await deployer.healthy((await deployer.newest(application)).id);
  if ((await visit(application.url)).body !== name) throw new Error(`${name} is not served.`);
  if (minInstances === 0) return;
  const { client, targetOrganisationId } = deployer;
  const { environmentId } = application;
  await client.call('environments.scale', { body: { targetOrganisationId, environmentId, minInstances } });
}

/** Of the roles and the store's own process; what processes share is counted once. The lowest of several looks, since garbage comes and goes. */
async function memoryOf(): Promise<{ total: number; byRole: Record<string, number> }> {
  const looks = [];
  for (let look = 0; look < 10; look++) {
    looks.push(lookAtMemory());
    await delay(1000);
  }
  return looks.toSorted((one, other) => one.total - other.total)[0]!;
}

function lookAtMemory(): { total: number; byRole: Record<string, number> } {
  const byRole = Object.fromEntries(Object.entries(platform.pids()).map(([role, pids]) => [role, memoryOfAll(pids)]));
  return { byRole, total: Object.values(byRole).reduce((sum, megabytes) => sum + megabytes, 0) };
}
