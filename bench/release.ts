/**
 * How soon does a rollback of a server serve the earlier release? As bench/rollback measures it for sites,
 * minus the time the program itself takes from its start to its first answer, measured in turn.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount } from '../e2e/acknowledged-writes.ts';
import { createDeployer } from '../e2e/deploying.ts';
import { findFreePort, startPlatform } from '../e2e/platform.ts';
import { serverApp } from '../e2e/server-app.ts';
import { reportAboveBoot } from './measuring/above-boot.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { roundsOf } from './measuring/rounds-of.ts';
import { measureRollback } from './rollback/measure-rollback.ts';
import { bootOf } from './wake/boot.ts';

const TARGET_MS = 150;
const ROUNDS = roundsOf(20);
const WARM_UP_ROUNDS = 3;

const scratch = scratchFolder('release');
await using platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000', LILAC_LOG_LEVEL: 'warn' } });
const deployer = createDeployer(platform, await createAccount(platform));
const container = { deploymentType: 'container' } as const;
const application = await deployer.createFromFiles('Release', serverApp('release 0'), container);
const releases = [(await deployer.healthy((await deployer.newest(application)).id)).id];
releases.push((await deployer.healthy(await deployer.deploy(application, serverApp('release 1')))).id);
for (const [path, content] of Object.entries(serverApp('by itself'))) writeFileSync(join(scratch, path), content);

const [served, booted]: [number[], number[]] = [[], []];
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
  const goal = Math.abs(round % 2);
  const boot = await bootOf(scratch, await findFreePort());
  const { servedMs } = await measureRollback(deployer, application, { id: releases[goal]!, page: `release ${goal}` });
  if (round < 0) continue;
  served.push(servedMs);
  booted.push(boot);
}
reportAboveBoot({
  name: 'rollback of a server to served',
  rounds: 'rollbacks',
  ours: served,
  boots: booted,
  atMost: TARGET_MS,
});
