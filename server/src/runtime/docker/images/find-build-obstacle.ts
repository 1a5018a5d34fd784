import { access } from 'node:fs/promises';
import type Docker from 'dockerode';
import type { DockerfileMode } from '../../../config/runtime-settings.ts';
import { isPodman } from '../engine.ts';
import { rootOf, sharesDisk } from './engine-room.ts';

/** Its builder makes containers that nobody else sees, so that nothing could be held that this platform promises. */
const NO_PODMAN =
  'The engine of this platform is Podman, by which Dockerfiles are not built. To run it without, create the application ' +
  'with another framework, or have the operator use Docker.';

export interface BuildPlace {
  engine: Docker;
  /** LILAC_HOME. */
  home: string;
  dockerfiles: DockerfileMode;
}

/** Why no Dockerfile can be built here, for a person; null where nothing is in the way. */
export async function findBuildObstacle({ engine, home, dockerfiles }: BuildPlace): Promise<string | null> {
  if (await isPodman(engine)) return NO_PODMAN;
  if (dockerfiles === 'on-shared-disk') return null;
  const root = await rootOf(engine);
  const isSeen = await access(root).then(
    () => true,
    () => false,
  );
  if (!isSeen) {
    return (
      `The platform does not see where its engine keeps its files (${root}), so that nothing could be measured. ` +
      'The operator has to run both on one machine.'
    );
  }
  if (!(await sharesDisk(root, home))) return null;
  return (
    'The engine of this platform keeps its files on the same disk as the platform itself, which a build could fill. The ' +
    `operator has to give ${root} a file system of its own, or to allow it with LILAC_DOCKERFILES=on-shared-disk.`
  );
}
