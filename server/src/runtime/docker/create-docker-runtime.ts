import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageMaker } from '../../build/image/image-maker.ts';
import { pathsOf, type Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import { once } from '../../lib/once.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { createSandbox } from '../../sandbox/create-sandbox.ts';
import { createHeldRuntime, type HeldRuntime } from '../held/create-held-runtime.ts';
import { findInstance } from '../held/find-instance.ts';
import { InstanceKeeper, type ExitListener } from '../held/instance-keeper.ts';
import { listNames, readRecord } from '../held/instance-record.ts';
import { isAlive } from '../../lib/process-identity.ts';
import { installationId } from '../network/names.ts';
import { InstanceOutputs } from '../output/instance-outputs.ts';
import { createSlugCache } from '../slugs/slug-cache.ts';
import { createUnpacker } from '../slugs/unpack-slug.ts';
import type { ToolSource } from '../tools.ts';
import { careForContainers } from './care-for-containers.ts';
import { noteEnd, watchEnds, type EndsWatch } from './container-ends.ts';
import { openDockerNetworks } from './docker-networks.ts';
import { findObstacle, openEngine } from './engine.ts';
import { tellCalls } from './tell-calls.ts';
import { createDockerImages } from './images/docker-images.ts';
import { prepareFirstProcess } from './images/first-process.ts';
import { watchWritten } from './images/watch-written.ts';
import { startContainer } from './start-container.ts';

export interface DockerRuntimeDeps {
  config: Config;
  log: Log;
  objects: ObjectStore;
  tools: ToolSource;
}

export interface DockerRuntime extends HeldRuntime {
  /** Builds Dockerfiles, with the same engine. */
  images: ImageMaker;
  /** Takes away the networks, once the last instance is gone: the whole platform stops. */
  removeNetworks(): Promise<void>;
}

/** Instances as containers of this machine's engine. */
export function createDockerRuntime({ config, log, objects, tools }: DockerRuntimeDeps): DockerRuntime {
  const { instances: root, outputs: outputRoot, slugs: slugRoot } = pathsOf(config);
  const { dockerSocket: socketPath } = config.runtime;
  const engine = openEngine(socketPath);
  const installation = installationId(config.home);
  const slugs = createSlugCache({
    root: slugRoot,
    log,
    unpack: createUnpacker({ objects, sandbox: createSandbox({ config, log }) }),
    inUse: () => new Set(listNames(root).flatMap((id) => readRecord(join(root, id))?.artifactId ?? [])),
  });
  const outputs = new InstanceOutputs({ root: outputRoot, log });
  const listeners = new Set<ExitListener>();
  const networks = once(() => openDockerNetworks({ config, log, engine }));
  const careOf = once(async () => careForContainers({ engine, installation, networks: await networks(), log }));
  const keeperOf = once(async () => new InstanceKeeper({ root, log, care: await careOf(), outputs, listeners }));
  const { imageRegistries: registries, dockerfiles } = config.runtime;
  const place = { home: config.home, dockerfiles, registries, folder: slugRoot };
  const images = createDockerImages({ engine, installation, objects, networks, log, ...place });
  const first = once(() => prepareFirstProcess(pathsOf(config).run));
  const calls = once(() => tellCalls(engine, pathsOf(config).run));
  let watch: EndsWatch | undefined;
  let written: ReturnType<typeof watchWritten> | undefined;

  const held = createHeldRuntime({
    outputs,
    keeper: keeperOf,
    listeners,
    async start(spec, keeper) {
      const given = { networks: await networks(), care: await careOf() };
      return startContainer(
        spec,
        { ...given, log, engine, socketPath, installation, root, tools, slugs, images, first, calls, outputs },
        keeper,
      );
    },
    async open(keeper) {
      mkdirSync(root, { recursive: true, mode: 0o700 });
      await learnEnds();
      await keeper.open();
      await endBuilds();
      await slugs.evict();
      watch = watchEnds(engine, installation, { onEnd: () => keeper.look(), onReturn: () => void setRight() });
      written = watchWritten({ engine, installation, outputs: outputRoot, log });
    },
    close() {
      watch?.close();
      written?.close();
      void networks().then((opened) => opened.close());
    },
    setDoors: async (doors) => (await networks()).setDoors(doors),
    network: async () => (await networks()).network(),
    async isolation() {
      const obstacle = await findObstacle(engine, socketPath);
      return { name: 'docker', lacking: [...(obstacle ? [obstacle] : []), ...(await (await networks()).lacking())] };
    },
  });

  /** The engine is back: it has put its own rules before ours, and may have what nobody wants any more. */
  async function setRight(): Promise<void> {
    try {
      await (await networks()).refresh();
      await (await careOf()).sweep(() => listNames(root).flatMap((name) => readRecord(join(root, name)) ?? []));
      await endBuilds();
    } catch (error) {
      log.error({ err: error }, 'what the engine of Docker has is not set right yet');
    }
  }

  /** Whoever waited for them is gone; instances do not wait for this. */
  async function endBuilds(): Promise<void> {
    await images
      .endStrangers()
      .catch((error: unknown) => log.warn({ err: error }, 'what builds have left is ended by the next sweep'));
  }

  /** Of those that ended while nobody looked, the engine knows how. */
  async function learnEnds(): Promise<void> {
    const found = listNames(root).flatMap((name) => findInstance(join(root, name)) ?? []);
    await Promise.all(found.filter(({ process }) => !isAlive(process)).map((each) => noteEnd(engine, each)));
  }

  return { ...held, images, removeNetworks: async () => (await networks()).remove() };
}
