import type { ImageMaker } from '../build/image/image-maker.ts';
import { createRunTools } from '../build/toolchain/run-tools.ts';
import type { Config } from '../config.ts';
import type { RuntimeKind } from '../config/runtime-settings.ts';
import type { Store } from '../db/pool.ts';
import type { Leadership } from '../jobs/leadership.ts';
import type { Fitness } from '../jobs/leaderships.ts';
import type { Log } from '../lib/log.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { removeInstanceNetworks } from '../runtime/network/open-instance-networks.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { createSandboxRuntime } from '../runtime/sandbox/create-sandbox-runtime.ts';
import { takeRuntime } from '../runtime/take-runtime.ts';
import { withoutImages } from '../runtime/without-images.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';

export interface RuntimeDeps {
  config: Config;
  log: Log;
  objects: ObjectStore;
  store: Store;
  keyring: Keyring;
  /** Which of the hosts of this platform this is. */
  host: string;
  /** That of the instances, once there is one: it depends on what they run in. */
  leadership(): Leadership;
}

/** What runs the instances of this platform, and what its end asks of it. */
export interface WorkerRuntime {
  kind: RuntimeKind;
  runtime: Runtime;
  /** What keeps the images of Dockerfiles; null where it runs no images. */
  images: ImageMaker | null;
  /** The same where the operator lets Dockerfiles be built. */
  imageBuilder: ImageMaker | null;
  /** From here on this process gives back what instances have written, where that lies on this machine. */
  boundOutputs(): void;
  /** Takes away what is not of one instance, once the last is gone: the whole platform stops. */
  leave(): Promise<void>;
  /** Whether this host can lead instances now. */
  fitness(): Fitness;
  /** To be called when no build is left. */
  close(): Promise<void>;
}

const noImages = { images: null, imageBuilder: null };
const always = { fitness: () => 'fit' as const, close: async () => {} };

export async function openRuntime(deps: RuntimeDeps): Promise<WorkerRuntime> {
  const kind = await takeRuntime(deps.config);
  deps.log.info({ runtime: kind }, 'what servers run in');
  const all = { ...deps, tools: createRunTools({ ...deps, areInImage: kind !== 'sandbox' }) };
  // What speaks with an engine takes several megabytes: it is loaded where there is one.
  if (kind === 'docker') {
    const { createDockerRuntime } = await import('../runtime/docker/create-docker-runtime.ts');
    const runtime = createDockerRuntime(all);
    const { images } = runtime;
    const imageBuilder = deps.config.runtime.dockerfiles === 'off' ? null : images;
    const leave = () => runtime.removeNetworks();
    return { kind, runtime, images, imageBuilder, boundOutputs: () => runtime.boundOutputs(), leave, ...always };
  }
  if (kind === 'swarm') {
    const { createSwarmRuntime } = await import('../runtime/swarm/create-swarm-runtime.ts');
    const { markBuilds } = await import('../runtime/swarm/mark-builds.ts');
    const { watchEngine } = await import('../runtime/swarm/watch-engine.ts');
    const controlKey = await platformSecret(deps, 'swarm-control');
    const leadership = { isHeld: () => deps.leadership().isHeld(), certain: () => deps.leadership().certain() };
    const marks = await markBuilds({ hostId: deps.host, log: deps.log });
    const runtime = createSwarmRuntime({ ...all, controlKey, leadership, marks });
    // What lies on this machine is little, and nothing outlives the last instance.
    const watch = await watchEngine({ socketPath: deps.config.runtime.dockerSocket, log: deps.log });
    return {
      kind,
      runtime: withoutImages(runtime),
      ...noImages,
      boundOutputs: () => {},
      leave: async () => {},
      fitness: () => watch.fitness(),
      async close() {
        watch.close();
        await marks.close();
      },
    };
  }
  const runtime = createSandboxRuntime(all);
  const leave = () => removeInstanceNetworks(deps);
  const boundOutputs = () => runtime.boundOutputs();
  return { kind, runtime: withoutImages(runtime), ...noImages, boundOutputs, leave, ...always };
}
