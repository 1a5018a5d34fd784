import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, startVisiting, visit, type Application, type Deployer, type Files } from './deploying.ts';
import { commandsRunning, processesOf } from './left-processes.ts';
import { startPlatform, until, type Platform } from './platform.ts';

/** `kill -9` of the worker at every stage of a deployment, while people visit the site. */
let platform: Platform;
let deployer: Deployer;
let application: Application;

beforeAll(async () => {
  platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000' } });
  deployer = createDeployer(platform, await createAccount(platform));
  application = await deployer.createFromFiles('Killed', project('the first', 0), {
    buildCommand: 'sh build.sh',
    outputDirectory: 'out',
  });
  await deployer.healthy((await deployer.newest(application)).id);
});
afterAll(() => platform?.[Symbol.asyncDispose]());

/** What the two steps leave running behind them, to be told from each other, and from all else on the machine. */
const LINGERING = { installing: `sleep 300.${process.pid}1`, building: `sleep 300.${process.pid}2` };
type LingeringStage = keyof typeof LINGERING;

/** Installing and building take a while, and leave children behind that a careless kill would miss. */
function project(words: string, seconds: number): Files {
  const linger = (stage: LingeringStage) => `(${LINGERING[stage]} & ${LINGERING[stage]} & true); sleep ${seconds}`;
  return {
    'package.json': JSON.stringify({ name: 'slow', version: '1.0.0', scripts: { preinstall: linger('installing') } }),
    'package-lock.json': JSON.stringify({
      name: 'slow',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      // Each project is installed anew: what was kept for another lock file does not serve.
      packages: { '': { name: 'slow', version: '1.0.0', license: words } },
    }),
    'build.sh': `${linger('building')}; mkdir -p out; echo "<p>${words}</p>" > out/index.html\n`,
  };
}

describe.each(['installing', 'building', 'packaging', 'routing'] as const)('while it is %s', (stage) => {
  it('ends healthy or failed, leaves nothing behind, and what was served is served on', async () => {
    const before = (await visit(application.url)).body;
    const after = `<p>killed while ${stage}</p>\n`;
    const visitors = startVisiting(
      application.url,
      ({ status, body }) => status === 200 && [before, after].includes(body),
    );
    const deploymentId = await deployer.deploy(
      application,
      project(`killed while ${stage}`, isLingering(stage) ? 3 : 0),
    );
    await killWorkerAt(deploymentId, stage);
    const deployment = await deployer.ended(deploymentId);
    await until('there were visits', () => visitors.visits() > 20);
    await visitors.stop();

    expect(visitors.wrong).toEqual([]);
    expect(['healthy', 'failed']).toContain(deployment.status);
    const expected = deployment.status === 'healthy' ? after : before;
    expect((await visit(application.url)).body).toBe(expected);
    await until('nothing of the build is left', () => leftovers(deploymentId).length === 0);
    const { status } = await deployer.client.call('environments.status', {
      body: { targetOrganisationId: deployer.targetOrganisationId, environmentId: application.environmentId },
    });
    expect(status).toBe(deployment.status === 'healthy' ? 'healthy' : 'degraded');
  });
});

describe('a build that is cancelled', () => {
  it('is gone within five seconds, and what was served is served on', async () => {
    const before = (await visit(application.url)).body;
    const deploymentId = await deployer.deploy(application, project('never', 120));
    await until('its processes are there', () => lingering('installing').length > 0);
    await deployer.client.call('deployments.cancel', {
      body: { targetOrganisationId: deployer.targetOrganisationId, deploymentId },
    });
    await until('its processes are gone', () => processesOfBuilds().length === 0, 5000);
    expect(await deployer.ended(deploymentId)).toMatchObject({ status: 'cancelled' });
    expect((await visit(application.url)).body).toBe(before);
    await until('nothing of the build is left', () => leftovers(deploymentId).length === 0);
  });
});

/**
 * While it installs and while it builds, what the step has started runs at that moment. The last stages pass quickly;
 * the kill then comes a moment later, which is as good a moment as any.
 */
async function killWorkerAt(deploymentId: string, stage: string): Promise<void> {
  if (isLingering(stage)) await until(`it is ${stage}`, () => lingering(stage).length > 0);
  else await untilStage(deploymentId, stage);
  process.kill(platform.pids()['worker']![0]!, 'SIGKILL');
}

async function untilStage(deploymentId: string, stage: string): Promise<void> {
  await until(`it is ${stage}`, async () => {
    const body = { targetOrganisationId: deployer.targetOrganisationId, deploymentId };
    const { deployment_stage: now, status } = await deployer.client.call('deployments.get', { body });
    return now === stage || now === 'released' || ['failed', 'cancelled'].includes(status);
  });
}

/** Processes, folders and mounts that have to do with a build. */
function leftovers(deploymentId: string): string[] {
  const folder = join(platform.home, 'builds');
  const folders = existsSync(folder) ? readdirSync(folder).filter((name) => name.includes(deploymentId)) : [];
  return [...folders, ...processesOfBuilds().map((pid) => `process ${pid}`)];
}

/** Those in a sandbox show nothing of the folder they work in: they are known by what they run. */
function processesOfBuilds(): number[] {
  return [...processesOf(join(platform.home, 'builds')), ...lingering('installing'), ...lingering('building')];
}

const isLingering = (stage: string): stage is LingeringStage => Object.hasOwn(LINGERING, stage);

const lingering = (stage: LingeringStage): number[] => commandsRunning(LINGERING[stage]);
