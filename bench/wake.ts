/**
 * How long does the first visitor of a sleeping application wait beyond what the application itself takes
 * to boot? From the request to its answer while nothing runs, minus the time the same program takes by
 * itself from its start until it listens, measured in turn.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount } from '../e2e/acknowledged-writes.ts';
import { createDeployer } from '../e2e/deploying.ts';
import { findFreePort, runningInstances, startPlatform, until } from '../e2e/platform.ts';
import { serverApp } from '../e2e/server-app.ts';
import { reportAboveBoot } from './measuring/above-boot.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { roundsOf } from './measuring/rounds-of.ts';
import { bootOf } from './wake/boot.ts';
import { visitAfresh } from './wake/visit-afresh.ts';

const TARGET_MS = 60;
const ROUNDS = roundsOf(30);
const WARM_UP_ROUNDS = 3;

const scratch = scratchFolder('wake');
await using platform = await startPlatform({
  env: {
    LILAC_RATE_LIMIT: '1000000',
    LILAC_LOG_LEVEL: 'warn',
    LILAC_IDLE_TO_ZERO_AFTER: '200ms',
    LILAC_SCALE_DOWN_AFTER: '200ms',
  },
});
const deployer = createDeployer(platform, await createAccount(platform));
const files = serverApp('awake');
const application = await deployer.createFromFiles('Wake', files, { deploymentType: 'container' });
await deployer.healthy((await deployer.newest(application)).id);
for (const [path, content] of Object.entries(files)) writeFileSync(join(scratch, path), content);

const [woken, booted]: [number[], number[]] = [[], []];
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
  await until('it sleeps', () => runningInstances(platform).length === 0);
  const boot = await bootOf(scratch, await findFreePort());
  const startedAt = performance.now();
  const { body } = await visitAfresh(application.url);
  const wake = performance.now() - startedAt;
  if (body !== 'awake') throw new Error(`The visitor was answered: ${body.slice(0, 200)}`);
  if (round < 0) continue;
  woken.push(wake);
  booted.push(boot);
}
reportAboveBoot({ name: 'first answer from zero', rounds: 'wakes', ours: woken, boots: booted, atMost: TARGET_MS });
