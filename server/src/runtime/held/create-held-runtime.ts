import type { InstanceAddress, InstanceSpec, Runtime } from '../runtime.ts';
import type { InstanceOutputs } from '../output/instance-outputs.ts';
import type { ExitListener, InstanceKeeper } from './instance-keeper.ts';

/** A runtime of this machine: what instances write lies here in files. */
export interface HeldRuntime extends Runtime {
  /** From here on output is kept small by this runtime, and by nobody else: also before it is opened. */
  boundOutputs(): void;
}

export interface HeldRuntimeParts extends Pick<Runtime, 'setDoors' | 'network' | 'isolation'> {
  outputs: InstanceOutputs;
  keeper: () => Promise<InstanceKeeper>;
  /** Who is told of ends, by the keeper. */
  listeners: Set<ExitListener>;
  start(spec: InstanceSpec, keeper: InstanceKeeper): Promise<InstanceAddress>;
  open(keeper: InstanceKeeper): Promise<void>;
  close?(): void;
}

/** What every runtime is whose instances are held by a keeper on this machine. */
export function createHeldRuntime(parts: HeldRuntimeParts): HeldRuntime {
  const { outputs, keeper: keeperOf, listeners } = parts;
  const starting = new Map<string, Promise<InstanceAddress>>();

  async function begin(spec: InstanceSpec): Promise<InstanceAddress> {
    const keeper = await keeperOf();
    const running = keeper.find(spec.id)?.record.lease;
    return running ? { host: running.host, port: running.port } : parts.start(spec, keeper);
  }

  return {
    boundOutputs: () => outputs.keepTrimmed(),
    async open() {
      outputs.keepTrimmed();
      await parts.open(await keeperOf());
    },
    async close() {
      outputs.endTrimming();
      parts.close?.();
      (await keeperOf()).close();
    },
    start(spec) {
      const begun = starting.get(spec.id) ?? begin(spec).finally(() => starting.delete(spec.id));
      starting.set(spec.id, begun);
      return begun;
    },
    async stop(instanceId, options) {
      await starting.get(instanceId)?.catch(() => {});
      await (await keeperOf()).stop(instanceId, options);
    },
    list: async () => (await keeperOf()).list(),
    usage: async () => (await keeperOf()).usage(),
    listeners: async (instanceId) => (await keeperOf()).listeners(instanceId),
    tail: async (instanceId, count) => (await keeperOf()).tail(instanceId, count),
    outputs: async () => (await keeperOf()).outputs(),
    readOutput: async (instanceId, from, maxBytes) => outputs.read(instanceId, from, maxBytes),
    releaseOutput: async (instanceId, before) => outputs.release(instanceId, before),
    forgetOutput: async (instanceId) => (await keeperOf()).forgetOutput(instanceId),
    onExit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    setDoors: (doors) => parts.setDoors(doors),
    network: () => parts.network(),
    isolation: () => parts.isolation(),
  };
}
