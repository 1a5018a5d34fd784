/**
 * How soon does a rollback serve the earlier release? From the call to the moment after which every new
 * connection to the public port gets the earlier page, whichever of the edge processes takes it. Meanwhile
 * the page is asked for again and again; no answer may be anything but one of the two releases.
 */
import { createAccount } from '../e2e/acknowledged-writes.ts';
import { createDeployer } from '../e2e/deploying.ts';
import { startPlatform } from '../e2e/platform.ts';
import { median, quantile } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';
import { measureRollback } from './rollback/measure-rollback.ts';

const TARGET_MS = 150;
const ROUNDS = roundsOf(40);
const WARM_UP_ROUNDS = 3;

await using platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000', LILAC_LOG_LEVEL: 'warn' } });
const deployer = createDeployer(platform, await createAccount(platform));
const application = await deployer.createFromFiles('Rollback', siteOf('release 0'));
const releases = [(await deployer.healthy((await deployer.newest(application)).id)).id];
releases.push((await deployer.healthy(await deployer.deploy(application, siteOf('release 1')))).id);

const served: number[] = [];
const answered: number[] = [];
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
  const goal = Math.abs(round % 2);
  const times = await measureRollback(deployer, application, { id: releases[goal]!, page: `release ${goal}` });
  if (round < 0) continue;
  served.push(times.servedMs);
  answered.push(times.answeredMs);
}
console.log(`call answered p50 ${median(answered).toFixed(0)} ms`);
console.log(`call to served p95 ${quantile(served, 0.95).toFixed(0)} ms over ${ROUNDS} rollbacks`);
report({
  name: 'rollback of a site to served',
  unit: 'ms',
  ours: median(served),
  bar: { of: 'ours', atMost: TARGET_MS },
});

function siteOf(page: string): Record<string, string> {
  return { 'index.html': page };
}
