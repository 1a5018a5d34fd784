import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../server/src/lib/exec.ts';
import { mountsBelow } from '../server/src/runtime/docker/mount-stage.ts';
import { startLocalEngine, type LocalEngine } from '../server/src/runtime/docker/testing/local-engine.ts';
import { STACK_IMAGE } from '../server/src/runtime/stack-image.ts';
import { canRunDocker } from '../server/src/testing/docker/can-run-docker.ts';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, visit, type Application, type Deployer, type Files } from './deploying.ts';
import { startPlatform, until, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

/** Says what a variable was while it was built. */
const imageApp = (): Files => ({
  Dockerfile: [
    `FROM ${STACK_IMAGE}`,
    'ARG WORDS',
    'RUN echo "$WORDS" > words && cat words',
    'COPY server.js .',
    'EXPOSE 3000',
    'CMD ["node", "server.js"]',
  ].join('\n'),
  'server.js': `const words = require('node:fs').readFileSync('words');
    require('node:http').createServer((_, answer) => answer.end(words)).listen(3000)`,
});

/** What is Docker's alone; `whole-platform-docker.test.ts` tries what servers do wherever they run. */
describe.runIf(canRunDocker())('servers in containers of Docker', () => {
  const home = mkdtempSync(join(tmpdir(), 'lilac-e2e-'));
  let engine: LocalEngine;
  let platform: Platform;
  let deployer: Deployer;
  let application: Application;

  beforeAll(async () => {
    engine = await startLocalEngine();
    platform = await startPlatform({
      home,
      env: {
        LILAC_RUNTIME: 'docker',
        LILAC_DOCKERFILES: 'on-shared-disk',
        LILAC_DOCKER_HOST: `unix://${engine.socketPath}`,
        LILAC_INSTANCE_SUBNET: '10.216.0.0/16',
        LILAC_RATE_LIMIT: '1000000',
        LILAC_SCALE_DOWN_AFTER: '500ms',
        LILAC_IDLE_TO_ZERO_AFTER: '500ms',
      },
    });
    deployer = createDeployer(platform, await createAccount(platform));
    application = await deployer.createFromFiles('Contained', serverApp('one'), { deploymentType: 'container' });
    await deployer.healthy((await deployer.newest(application)).id);
  }, 900_000);
  afterAll(async () => {
    await platform?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
    // On a busy machine the platform may have been ended before it had taken all back.
    const mounted = mountsBelow(home);
    if (mounted.length > 0) await run(['umount', '--lazy', '--', ...mounted], { env: { PATH: '/usr/bin:/bin' } });
    rmSync(home, { recursive: true, force: true });
  });

  const addressed = () => {
    const { targetOrganisationId } = deployer;
    return { targetOrganisationId, environmentId: application.environmentId };
  };

  const scale = (minInstances: number, maxInstances: number) =>
    deployer.client.call('environments.scale', { body: { ...addressed(), minInstances, maxInstances } });

  const environment = () => deployer.client.call('environments.get', { body: addressed() });

  it('a visitor is answered by a container, which is the instance', async () => {
    await scale(1, 3);
    expect((await visit(application.url)).body).toBe('one');
    const instance = (await visit(application.url, '/instance')).body;
    const containers = await engine.docker.listContainers();
    expect(containers.flatMap(({ Names }) => Names)).toContain(`/lilac-${instance}`);
    expect(platform.output()).toContain('"runtime":"docker"');
  });

  it('one that keeps ending makes its environment degraded, and the next release mends it', async () => {
    await scale(1, 1);
    const crashing = serverApp('x', {
      listen: "server.listen(process.env.PORT, '0.0.0.0', () => setTimeout(() => process.exit(4), 1500))",
    });
    await deployer.ended(await deployer.deploy(application, crashing));
    await until('it is degraded', async () => (await environment()).status === 'degraded');
    await deployer.healthy(await deployer.deploy(application, serverApp('mended')));
    await until('it is healthy', async () => (await environment()).status === 'healthy');
    expect((await visit(application.url)).body).toBe('mended');
  });

  it('a Dockerfile is built to an image and served, and found again where the engine has lost it', async () => {
    const app = await deployer.createFromFiles('Imaged', imageApp(), {
      deploymentType: 'container',
      environmentVars: { WORDS: 'words-of-a-variable', UNASKED: 'not-in-the-image' },
    });
    const { deployment_logs: lines } = await deployer.healthy((await deployer.newest(app)).id);
    expect(lines.join('\n')).toContain('Step 3 of 6: RUN echo "$WORDS" > words && cat words');
    expect(lines.join('\n')).not.toMatch(/words-of-a-variable|not-in-the-image/);
    expect((await visit(app.url)).body).toBe('words-of-a-variable\n');
    const images = await engine.docker.listImages({ filters: { label: [`lilac.built-for=${app.environmentId}`] } });
    const { Id } = images.find(({ RepoTags }) => RepoTags?.some((name) => name.startsWith('lilac.invalid/')))!;
    const { Config } = await engine.docker.getImage(Id).inspect();
    expect(JSON.stringify(Config)).not.toMatch(/words-of-a-variable|not-in-the-image/);
    const running = async () => (await engine.docker.listContainers()).filter(({ ImageID }) => ImageID === Id);
    await until('it sleeps', async () => (await running()).length === 0);
    await until('the engine has lost it', () =>
      engine.docker
        .getImage(Id)
        .remove({ force: true })
        .then(
          () => true,
          ({ statusCode }: { statusCode: number }) => statusCode === 404,
        ),
    );
    // It has to be fetched first, which on a busy machine takes longer than a visitor waits.
    await until('it is back', () =>
      visit(app.url).then(
        ({ body }) => body === 'words-of-a-variable\n',
        () => false,
      ),
    );
    const fetching = { ...imageApp(), Dockerfile: `FROM ${STACK_IMAGE}\nADD http://169.254.169.254/ /\n` };
    const refused = await deployer.ended(await deployer.deploy(app, fetching));
    expect(refused).toMatchObject({ status: 'failed', deployment_stage: 'building' });
    expect(refused.deployment_logs.join('\n')).toContain('ADD cannot fetch an address here');
    expect((await visit(app.url)).body).toBe('words-of-a-variable\n');
  }, 600_000);

  it('the end of the platform is theirs', async () => {
    await platform.stop();
    await until('no container runs', async () => (await engine.docker.listContainers()).length === 0);
    expect(await engine.docker.listContainers()).toEqual([]);
  });
});
