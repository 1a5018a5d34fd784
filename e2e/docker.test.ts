import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../server/src/lib/exec.ts';
import { mountsBelow } from '../server/src/runtime/docker/mount-stage.ts';
import { startLocalEngine, type LocalEngine } from '../server/src/runtime/docker/testing/local-engine.ts';
import { canRunDocker } from '../server/src/testing/docker/can-run-docker.ts';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, visit, type Application, type Deployer } from './deploying.ts';
import { describeTally, startLoad } from './load.ts';
import { runningInstances, startPlatform, until, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

/** What servers do on one machine they do as containers of its Docker engine. */
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

  it('no request is lost while it is released, rolled back, scaled, and its worker is killed', async () => {
    const first = await deployer.newest(application);
    const load = startLoad({
      url: application.url,
      connections: 10,
      pauseMs: 50,
      isRight: ({ status, body }) => status === 200 && (body === 'one' || body === 'two'),
    });
    try {
      await deployer.healthy(await deployer.deploy(application, serverApp('two')));
      await deployer.rollBack(application, first.id);
      await deployer.healthy(first.id);
      for (const count of [3, 1]) {
        await scale(count, count);
        await until(`there are ${count}`, () => runningInstances(platform).length === count);
      }
      const [worker] = platform.pids().worker!;
      process.kill(worker!, 'SIGKILL');
      await until('it is back', () => {
        const [now] = platform.pids().worker ?? [];
        return now !== undefined && now !== worker;
      });
      await deployer.healthy(await deployer.deploy(application, serverApp('two')));
      const before = load.tally.requests;
      await until('the load goes on', () => load.tally.requests > before + 100);
    } finally {
      await load.stop();
    }
    console.log(describeTally(load.tally));
    expect(load.tally.failures).toEqual([]);
    expect(load.tally.closed).toBe(0);
  }, 600_000);

  it('one that sleeps is woken by a visitor, and what it wrote is in the log', async () => {
    await scale(0, 1);
    await until('it sleeps', () => runningInstances(platform).length === 0);
    expect((await visit(application.url)).body).toBe('two');
    const talking = serverApp('three', {
      listen: "server.listen(process.env.PORT, '0.0.0.0', () => console.log('words of a container'))",
    });
    await deployer.healthy(await deployer.deploy(application, talking));
    await until('the line is found', async () => {
      const body = { ...addressed(), filters: { textSearch: 'words of a container' } };
      return (await deployer.client.call('logs.search', { body })).length > 0;
    });
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

  it('the end of the platform is theirs', async () => {
    await platform.stop();
    await until('no container runs', async () => (await engine.docker.listContainers()).length === 0);
    expect(await engine.docker.listContainers()).toEqual([]);
  });
});
