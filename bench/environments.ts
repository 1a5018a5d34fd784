/**
 * What do environments cost the platform itself? 200 that sleep and 20 that run, on one machine: the memory
 * of the platform's own processes, without the applications', before and after, per environment. Of the roles it is
 * what they hold on to when all else is collected: garbage that comes and goes is many times as much as is looked for.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createAccount } from '../e2e/acknowledged-writes.ts';
import { createDeployer, visit } from '../e2e/deploying.ts';
import { runningInstances, startPlatform, until } from '../e2e/platform.ts';
import { ANY_INSPECTOR_PORT, openMemoryGauge } from '../e2e/process-memory.ts';
import { serverApp } from '../e2e/server-app.ts';
import { memoryOfAll } from './measuring/memory.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const USUALLY_SLEEPING = 200;
const SLEEPING = roundsOf(USUALLY_SLEEPING);
const RUNNING = roundsOf(20);
const AT_A_TIME = 2;
const TARGET_MB = 0.3;
/** The only one of them that is not Node's. */
const STORE = 'store';

await using platform = await startPlatform({
  env: {
    ...ANY_INSPECTOR_PORT,
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
const gauges = await openGauges();
const before = await memoryByRole();

const wanted = [...Array.from({ length: SLEEPING }, () => 0), ...Array.from({ length: RUNNING }, () => 1)];
for (let first = 0; first < wanted.length; first += AT_A_TIME) {
  const batch = wanted.slice(first, first + AT_A_TIME);
  await Promise.all(batch.map((minInstances, at) => create(`Environment ${first + at}`, minInstances)));
}
await until('the others sleep', () => runningInstances(platform).length === RUNNING);
const after = await memoryByRole();
for (const { gauge } of gauges) gauge.close();

for (const [role, megabytes] of Object.entries(after)) {
  console.log(`${role.padEnd(10)} ${before[role]!.toFixed(1)} MB, then ${megabytes.toFixed(1)} MB`);
}
// What the store's processes have goes up and down with their connections, by more than all environments need.
tell("an environment's part of what the platform's processes keep, without the store's", withoutStore);
tell("an environment's part of the platform's own memory, the store's included", sumOf);

function tell(name: string, sum: (byRole: Record<string, number>) => number): void {
  const ours = (sum(after) - sum(before)) / (SLEEPING + RUNNING);
  // Of a few the growth that comes with the first is too large a part.
  const bar = SLEEPING < USUALLY_SLEEPING ? undefined : ({ of: 'ours', atMost: TARGET_MB } as const);
  report({ name, unit: 'MB', ours, bar });
}

async function create(name: string, minInstances: number): Promise<void> {
  const application = await deployer.createFromFiles(name, serverApp(name), { deploymentType: 'container' });
  await deployer.healthy((await deployer.newest(application)).id);
  if ((await visit(application.url)).body !== name) throw new Error(`${name} is not served.`);
  if (minInstances === 0) return;
  const { client, targetOrganisationId } = deployer;
  const { environmentId } = application;
  await client.call('environments.scale', { body: { targetOrganisationId, environmentId, minInstances } });
}

async function openGauges() {
  const ofRoles = Object.entries(platform.pids()).filter(([role]) => role !== STORE);
  const opened = [];
  for (const [role, pids] of ofRoles) {
    for (const pid of pids) opened.push({ role, gauge: await openMemoryGauge(platform, pid) });
  }
  return opened;
}

async function memoryByRole(): Promise<Record<string, number>> {
  const byRole: Record<string, number> = { [STORE]: await memoryOfStore() };
  for (const { role, gauge } of gauges) byRole[role] = (byRole[role] ?? 0) + (await gauge.keptMib());
  return byRole;
}

/** Of its own process, which nobody can make collect: the lowest of several looks. */
async function memoryOfStore(): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < 10; look++) {
    looks.push(memoryOfAll(platform.pids()[STORE] ?? []));
    await delay(1000);
  }
  return Math.min(...looks);
}

function withoutStore({ [STORE]: _store, ...roles }: Record<string, number>): number {
  return sumOf(roles);
}

function sumOf(byRole: Record<string, number>): number {
  return Object.values(byRole).reduce((sum, megabytes) => sum + megabytes, 0);
}
