import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DockerfileMode } from '../../config/runtime-settings.ts';
import { openEngine } from '../../runtime/docker/engine.ts';
import { findBuildObstacle } from '../../runtime/docker/images/find-build-obstacle.ts';
import { runtimeInUse } from '../../runtime/take-runtime.ts';
import { ok, warn, type CheckedHost, type Finding } from './check.ts';

export async function lookAtDockerfiles({ config }: Pick<CheckedHost, 'config'>): Promise<Finding> {
  const { dockerfiles, dockerSocket } = config.runtime;
  if (dockerfiles === 'off') return judgeDockerfiles({ mode: 'off', isDocker: false, obstacle: null });
  const isDocker = (await runtimeInUse(config)) === 'docker';
  const place = { engine: openEngine(dockerSocket), home: nearest(config.home), dockerfiles };
  const obstacle = isDocker ? await findBuildObstacle(place) : null;
  return judgeDockerfiles({ mode: dockerfiles, isDocker, obstacle });
}

/** Before the first start there is no home: where it will be is on the same disk. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)));

interface Circumstances {
  mode: DockerfileMode;
  isDocker: boolean;
  /** Why nothing is built although it is switched on. */
  obstacle: string | null;
}

export function judgeDockerfiles({ mode, isDocker, obstacle }: Circumstances): Finding {
  if (mode === 'off') return ok('not built (LILAC_DOCKERFILES is off)');
  if (!isDocker) {
    return warn(
      'not built: servers are no containers of Docker',
      'Set LILAC_RUNTIME=docker, or LILAC_DOCKERFILES=off.',
    );
  }
  if (obstacle !== null) return warn(`not built. ${obstacle}`, 'Mend that, or set LILAC_DOCKERFILES=off.');
  if (mode === 'on') return ok('built by the engine, which has a file system of its own');
  return warn(
    'built by the engine, on the disk of the platform itself: a build can fill it',
    'Give the engine a file system of its own and set LILAC_DOCKERFILES=on, or let only people deploy whom you trust.',
  );
}
