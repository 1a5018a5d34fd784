import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { run } from '../server/src/lib/exec.ts';
import { mountsBelow } from '../server/src/runtime/docker/mount-stage.ts';
import { startLocalEngine } from '../server/src/runtime/docker/testing/local-engine.ts';
import { canRunDocker } from '../server/src/testing/docker/can-run-docker.ts';
import { runningInstances, startPlatform } from './platform.ts';
import { runWholePlatform } from './whole-platform.ts';
import { hurriedSettings, type World } from './whole-platform/scene.ts';

describe.runIf(canRunDocker())('servers in containers of Docker, and databases', () => {
  runWholePlatform(async (): Promise<World> => {
    await using stack = new AsyncDisposableStack();
    const home = mkdtempSync(join(tmpdir(), 'lilac-e2e-'));
    stack.defer(() => removeHome(home));
    const engine = stack.use(await startLocalEngine());
    const platform = stack.use(
      await startPlatform({
        home,
        env: {
          ...hurriedSettings,
          LILAC_RUNTIME: 'docker',
          LILAC_DOCKER_HOST: `unix://${engine.socketPath}`,
          LILAC_INSTANCE_SUBNET: '10.216.0.0/16',
        },
      }),
    );
    const all = stack.move();
    return {
      platform,
      countRunning: async () => runningInstances(platform).length,
      async listRemains() {
        const containers = await engine.docker.listContainers({ all: true });
        const names = containers.flatMap(({ Names }) => Names);
        return [...names, ...runningInstances(platform), ...mountsBelow(join(home, 'instances'))];
      },
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    };
  });
});

/** On a busy machine the platform may have been ended before it had taken all back. */
async function removeHome(home: string): Promise<void> {
  const mounted = mountsBelow(home);
  if (mounted.length > 0) await run(['umount', '--lazy', '--', ...mounted], { env: { PATH: '/usr/bin:/bin' } });
  rmSync(home, { recursive: true, force: true });
}
