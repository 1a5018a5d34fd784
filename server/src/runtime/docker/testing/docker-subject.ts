import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, type Environment } from '../../../config.ts';
import { run } from '../../../lib/exec.ts';
import { silentLog } from '../../../lib/log.ts';
import { createLocalObjectStore } from '../../../objects/local/local-object-store.ts';
import type { RuntimeSubject } from '../../conformance.ts';
import { ownNode } from '../../testing/own-node.ts';
import { packTree } from '../../testing/pack-tree.ts';
import { createDockerRuntime, type DockerRuntime } from '../create-docker-runtime.ts';
import { mountsBelow } from '../mount-stage.ts';
import type { LocalEngine } from './local-engine.ts';

export interface DockerSubject extends RuntimeSubject {
  home: string;
  create(): DockerRuntime;
}

/** A home of the platform whose instances are containers of the engine. */
export async function openDockerSubject(
  engine: Pick<LocalEngine, 'socketPath' | 'docker'>,
  settings: Environment = {},
): Promise<DockerSubject> {
  const home = mkdtempSync(join(tmpdir(), 'lilac-docker-'));
  const config = readConfig({
    LILAC_HOME: home,
    LILAC_INSTANCE_SUBNET: '10.215.0.0/16',
    LILAC_RUNTIME: 'docker',
    LILAC_DOCKERFILES: 'on-shared-disk',
    LILAC_DOCKER_HOST: `unix://${engine.socketPath}`,
    ...settings,
  });
  const objects = createLocalObjectStore({
    root: join(home, 'objects'),
    signingKey: Buffer.alloc(32),
    publicUrl: new URL('http://lilac.test'),
  });
  const create = () => createDockerRuntime({ config, log: silentLog, objects, tools: ownNode });
  return {
    home,
    objects,
    create,
    pack: (files) => packTree(objects, files),
    async remains(instanceId) {
      const containers = await engine.docker.listContainers({ all: true });
      const names = containers.flatMap(({ Names }) => Names).filter((name) => name.includes(instanceId));
      const files = readdirSync(join(home, 'instances')).filter((name) => name.includes(instanceId));
      return [...names, ...files, ...mountsBelow(join(home, 'instances', instanceId))];
    },
    async [Symbol.asyncDispose]() {
      await create().removeNetworks();
      const mounted = mountsBelow(home);
      if (mounted.length > 0) await run(['umount', '--lazy', '--', ...mounted], { env: { PATH: '/usr/bin:/bin' } });
      rmSync(home, { recursive: true, force: true });
    },
  };
}
