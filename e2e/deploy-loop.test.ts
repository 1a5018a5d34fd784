import { run } from '../server/src/lib/exec.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, visit, type Deployer, type Files } from './deploying.ts';
import { startPlatform, until, type Platform } from './platform.ts';

let platform: Platform;
let deployer: Deployer;

beforeAll(async () => {
  platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000' } });
  deployer = createDeployer(platform, await createAccount(platform));
});
afterAll(() => platform?.[Symbol.asyncDispose]());

describe('a hundred deployments of one environment', () => {
  it('leave the disk as full as thirty did', async () => {
    const application = await deployer.createFromFiles('Loop', site(0));
    await deployer.healthy((await deployer.newest(application)).id);
    let settled = 0;
    for (let number = 1; number <= 100; number++) {
      await deployer.healthy(await deployer.deploy(application, site(number)));
      if (number === 30) settled = await objectsInUse();
    }
    expect((await visit(application.url)).body).toContain('number 100');
    // What is collected is collected by jobs, a moment after the release.
    await until('the rest is collected', async () => (await objectsInUse()) <= settled * 1.1);
    const body = { targetOrganisationId: deployer.targetOrganisationId, environmentId: application.environmentId };
    expect(await deployer.client.call('deployments.list', { body: { ...body, limit: 100 } })).toHaveLength(20);
  });
});

/** Twenty files of 16 KiB that no other deployment has. */
function site(number: number): Files {
  const files: Files = { 'index.html': `<h1>number ${number}</h1>` };
  for (let file = 0; file < 20; file++) files[`file-${file}.txt`] = `${number} ${file} `.repeat(2048);
  return files;
}

async function objectsInUse(): Promise<number> {
  const { stdout } = await run(['du', '-sb', '--', `${platform.home}/objects`, `${platform.home}/builds`], { env: {} });
  return stdout.split('\n').reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0), 0);
}
