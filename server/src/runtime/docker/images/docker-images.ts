import type Docker from 'dockerode';
import { addAbortSignal, type Readable } from 'node:stream';
import { BuildFailed } from '../../../build/builder.ts';
import type { ImageMaker } from '../../../build/image/image-maker.ts';
import type { Log } from '../../../lib/log.ts';
import { tryEach } from '../../../lib/try-each.ts';
import { ObjectMissing, type ObjectStore } from '../../../objects/object-store.ts';
import { StartRefused } from '../../runtime.ts';
import type { DockerNetworks } from '../docker-networks.ts';
import { isAway, isConflict, isNotFound, isPodman } from '../engine.ts';
import { bringBase } from './bring-base.ts';
import { artifactOf, imageLabels, imageName, repositoryOf } from './image-names.ts';
import { loadImage } from './load-image.ts';
import { readImage, type UsedImage } from './read-image.ts';
import { runImageBuild } from './run-image-build.ts';

export interface DockerImagesDeps {
  engine: Docker;
  installation: string;
  objects: ObjectStore;
  networks: () => Promise<Pick<DockerNetworks, 'lease' | 'release'>>;
  log: Log;
  /** From which images are fetched that are built on. */
  registries: readonly string[];
  /** Where images lie while they are fetched. */
  folder: string;
}

/** Images of Dockerfiles in this machine's engine: each is there while its artifact is, or until it is asked for again. */
export interface DockerImages extends ImageMaker {
  /** What the engine has of it; fetched from the objects where it has nothing. Rejects with `StartRefused`. */
  use(image: { artifactId: string; hash: string }): Promise<UsedImage>;
}

/** Its builder makes containers that nobody else sees, so that nothing could be held that this platform promises. */
const NO_PODMAN =
  'The engine of this platform is Podman, by which Dockerfiles are not built. To run it without, create the application ' +
  'with another framework, or have the operator use Docker.';

/** What steps of a build that failed have left is worth keeping for the next one, so long. */
const LEFTOVER_MS = 24 * 3600_000;

export function createDockerImages(deps: DockerImagesDeps): DockerImages {
  const { engine, installation, log } = deps;
  const building = new Set<string>();
  const loading = new Map<string, Promise<void>>();
  const nameOf = (artifactId: string) => imageName(installation, artifactId);

  const load: DockerImages['use'] = async (image) => {
    const { artifactId } = image;
    const under = loading.get(artifactId) ?? loadImage({ ...deps, image }).finally(() => loading.delete(artifactId));
    loading.set(artifactId, under);
    await under.catch(refuseMissing);
    return readImage(engine, nameOf(artifactId));
  };

  /** What cannot be taken away now is found by the next sweep. */
  const whileThere = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!isAway(error)) throw error;
      log.warn({ err: error }, 'images that nobody needs stay while the engine of Docker is away');
    }
  };

  return {
    labelsFor: (environmentId) => ({ [imageLabels.builtBy]: installation, [imageLabels.builtFor]: environmentId }),
    bring: (name, signal) => bringBase(engine, name, { registries: deps.registries, signal }),
    async build(request) {
      const { artifactId, environmentId } = request;
      if (await isPodman(engine)) throw new BuildFailed(NO_PODMAN);
      const networks = await deps.networks();
      // A network of its own, whose organisation nobody is: no door to a database opens for it.
      const { lease, network } = await networks.lease({
        organisationId: '',
        environmentId: `build-${environmentId}`,
        port: 0,
      });
      building.add(environmentId);
      try {
        return await runImageBuild({ engine, name: nameOf(artifactId), network, request });
      } catch (error) {
        await removeImage(engine, nameOf(artifactId));
        throw error;
      } finally {
        building.delete(environmentId);
        networks.release(lease);
      }
    },
    async save(artifactId, signal) {
      const image = (await engine.getImage(nameOf(artifactId)).get()) as Readable;
      return addAbortSignal(signal, image);
    },
    forget: (artifactIds) => whileThere(() => tryEach(artifactIds, (id) => removeImage(engine, nameOf(id)))),
    async use(image) {
      try {
        return await readImage(engine, nameOf(image.artifactId));
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return load(image);
      }
    },
    sweep: (listUnknown) =>
      whileThere(async () => {
        const kept = await listKept(engine, installation);
        await tryEach(await listUnknown(kept), (id) => removeImage(engine, nameOf(id)));
        const left = await listLeftovers(engine, installation, building);
        await tryEach(left, (id) => removeImage(engine, id));
      }),
  };
}

/** With the steps below it that nobody else has. What an instance still runs stays, and the next sweep finds it. */
async function removeImage(engine: Docker, name: string): Promise<void> {
  try {
    await engine.getImage(name).remove();
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

async function listKept(engine: Docker, installation: string): Promise<string[]> {
  const found = await engine.listImages({ filters: { reference: [repositoryOf(installation)] } });
  return found.flatMap(({ RepoTags }) => (RepoTags ?? []).flatMap((name) => artifactOf(installation, name) ?? []));
}

/** Steps of builds that failed or were killed, and that no image is made of. */
async function listLeftovers(engine: Docker, installation: string, building: ReadonlySet<string>): Promise<string[]> {
  const filters = { dangling: ['true'], label: [`${imageLabels.builtBy}=${installation}`] };
  const found = await engine.listImages({ filters });
  return found
    .filter(({ Created }) => Created * 1000 < Date.now() - LEFTOVER_MS)
    .filter(({ Labels }) => !building.has(Labels?.[imageLabels.builtFor] ?? ''))
    .map(({ Id }) => Id);
}

function refuseMissing(error: unknown): never {
  if (error instanceof ObjectMissing) throw new StartRefused('The image of this deployment is gone. Deploy it again.');
  throw error;
}
