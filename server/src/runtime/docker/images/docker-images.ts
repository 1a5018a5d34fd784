import type Docker from 'dockerode';
import { addAbortSignal, type Readable } from 'node:stream';
import { BuildFailed } from '../../../build/builder.ts';
import type { ImageMaker } from '../../../build/image/image-maker.ts';
import type { DockerfileMode } from '../../../config/runtime-settings.ts';
import type { Log } from '../../../lib/log.ts';
import { tryEach } from '../../../lib/try-each.ts';
import { ObjectMissing, type ObjectStore } from '../../../objects/object-store.ts';
import { StartRefused } from '../../runtime.ts';
import type { DockerNetworks } from '../docker-networks.ts';
import { isAway, isNotFound } from '../engine-errors.ts';
import { readNetworks } from '../network-book.ts';
import { createBaseImages } from './base-images.ts';
import { bringBase } from './bring-base.ts';
import { findBuildObstacle } from './find-build-obstacle.ts';
import { findImage } from './find-image.ts';
import { endContainersIn } from './guard-build.ts';
import { artifactOf, imageLabels, imageName, repositoryOf } from './image-names.ts';
import { LEFTOVER_MS, removeLeftovers } from './leftover-images.ts';
import { loadImage } from './load-image.ts';
import { readImage, type UsedImage } from './read-image.ts';
import { removeImage } from './remove-image.ts';
import { runImageBuild } from './run-image-build.ts';

export interface DockerImagesDeps {
  engine: Docker;
  installation: string;
  /** LILAC_HOME. */
  home: string;
  dockerfiles: DockerfileMode;
  objects: ObjectStore;
  networks: () => Promise<Pick<DockerNetworks, 'lease' | 'release'>>;
  log: Log;
  /** From which images are fetched that are built on. */
  registries: readonly string[];
  /** Where images lie while they are fetched. */
  folder: string;
}

/**
 * Images of Dockerfiles in this machine's engine: each is there while its artifact is, or until it is asked for again.
 */
export interface DockerImages extends ImageMaker {
  /** What the engine has of it; fetched from the objects where it has nothing. Rejects with `StartRefused`. */
  use(image: { artifactId: string; hash: string }): Promise<UsedImage>;
  /** Ends what builds have left that nobody waits for any more: the engine or this platform was restarted meanwhile. */
  endStrangers(): Promise<void>;
}

/** Of the networks in which builds are. */
const BUILD = 'build-';

export function createDockerImages(deps: DockerImagesDeps): DockerImages {
  const { engine, installation, log } = deps;
  const building = new Set<string>();
  const loading = new Map<string, Promise<void>>();
  const bases = createBaseImages(engine, installation);
  const nameOf = (artifactId: string) => imageName(installation, artifactId);
  const labelsFor = (environmentId: string) => ({
    [imageLabels.builtBy]: installation,
    [imageLabels.builtFor]: environmentId,
  });

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

  const endStrangers = async (): Promise<void> => {
    const networks = await readNetworks(engine, installation);
    const left = networks.filter(
      ({ environmentId: id }) => id.startsWith(BUILD) && !building.has(id.slice(BUILD.length)),
    );
    await tryEach(left, ({ name }) => endContainersIn(engine, name));
  };

  return {
    labelsFor,
    async prepare() {
      const obstacle = await findBuildObstacle(deps);
      if (obstacle !== null) throw new BuildFailed(obstacle);
    },
    bring: (name, work) => bringBase(name, { engine, bases, registries: deps.registries, ...work }),
    async build(request) {
      const { artifactId, environmentId } = request;
      const networks = await deps.networks();
      // A network of its own, whose organisation nobody is: no door to a database opens for it.
      const place = { organisationId: '', environmentId: `${BUILD}${environmentId}`, port: 0 };
      const { lease, network } = await networks.lease(place);
      building.add(environmentId);
      const name = nameOf(artifactId);
      try {
        await removeLeftovers(engine, { installation, building, now: Date.now() });
        return await runImageBuild({ engine, name, network, labels: labelsFor(environmentId), log, request });
      } catch (error) {
        await removeImage(engine, name).catch((left: unknown) =>
          log.warn({ err: left }, 'what a failed build has left stays until the next sweep'),
        );
        throw error;
      } finally {
        building.delete(environmentId);
        networks.release(lease);
      }
    },
    async save(artifactId, signal) {
      const image = (await engine.getImage(nameOf(artifactId)).get()) as Readable;
      // That it is cancelled before anybody reads it must end nobody else.
      image.on('error', () => {});
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
    endStrangers,
    sweep: (listUnknown, now = Date.now()) =>
      whileThere(async () => {
        const unknown = await listUnknown(await listKept(engine, installation));
        const sweeps = [
          () => tryEach(unknown, (id) => removeOld(engine, nameOf(id), now)),
          () => removeLeftovers(engine, { installation, building, now }),
          () => bases.sweep(now),
          endStrangers,
        ];
        await tryEach(sweeps, (sweep) => sweep());
      }),
  };
}

async function listKept(engine: Docker, installation: string): Promise<string[]> {
  const found = await engine.listImages({ filters: { reference: [repositoryOf(installation)] } });
  return found.flatMap(({ RepoTags }) => (RepoTags ?? []).flatMap((name) => artifactOf(installation, name) ?? []));
}

/** One that has just got its name is being packed: its artifact is not known yet. */
async function removeOld(engine: Docker, name: string, now: number): Promise<void> {
  const image = await findImage(engine, name);
  if (image && image.namedAt < now - LEFTOVER_MS) await removeImage(engine, name);
}

function refuseMissing(error: unknown): never {
  if (error instanceof ObjectMissing) throw new StartRefused('The image of this deployment is gone. Deploy it again.');
  throw error;
}
