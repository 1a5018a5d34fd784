import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { pathsOf, type Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { readInstanceNetwork, writeInstanceNetwork } from '../instance-network-file.ts';
import { InstanceOutputs } from '../output/instance-outputs.ts';
import type { InstanceAddress, InstanceOutput, InstanceSpec, OutputPosition, Runtime, Usage } from '../runtime.ts';
import type { ToolSource } from '../tools.ts';
import { takeBack } from './claim-task.ts';
import type { TaskControl } from './control-client.ts';
import { SwarmEngine, type SwarmService } from './engine.ts';
import { ExitWatch, type ExitListener } from './exit-watch.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { packInit } from './pack-init.ts';
import { ReachTelling } from './reach-telling.ts';
import { Reaches } from './reaches.ts';
import { startTask } from './start-task.ts';
import { stopTask } from './stop-task.ts';
import { SpareSweep } from './sweep-spares.ts';
import { describeSeen, readSwarm, type SeenInstance, type SwarmView } from './swarm-view.ts';
import { controlOf, type SwarmWorld } from './swarm-world.ts';

export interface SwarmRuntimeDeps {
  config: Config;
  log: Log;
  objects: ObjectStore;
  tools: ToolSource;
  /** The same on every host: whoever leads next must open the same control ports. */
  controlKey: Buffer;
}

/** Instances as tasks of a Docker Swarm, on whichever machine it puts them. */
export function createSwarmRuntime({ config, log, objects, tools, controlKey }: SwarmRuntimeDeps): Runtime {
  const { outputs: outputRoot } = pathsOf(config);
  // By what all its hosts share and nothing changes: whatever address it has, it finds what is its own.
  const platform = createHmac('sha256', controlKey).update('platform').digest('hex').slice(0, 12);
  const engine = new SwarmEngine(config.runtime.dockerSocket, platform);
  const reaches = new Reaches({ engine, config });
  const init = packInit();
  const shared = { config, log, objects, tools, engine, init, controlKey, reaches };
  const world: SwarmWorld = { ...shared, taken: new Set(), waiting: new Map(), starting: new Set() };
  return new SwarmRuntime(world, new InstanceOutputs({ root: outputRoot, log }), outputRoot);
}

class SwarmRuntime implements Runtime {
  readonly #world: SwarmWorld;
  readonly #outputs: InstanceOutputs;
  readonly #outputRoot: string;
  readonly #turns = new OneAtATime();
  readonly #listeners = new Set<ExitListener>();
  readonly #watch: ExitWatch;
  readonly #spares: SpareSweep;
  readonly #telling: ReachTelling;
  readonly #starting = new Map<string, Promise<InstanceAddress>>();
  readonly #stops = new Map<string, Promise<void>>();
  readonly #released = new Map<string, OutputPosition>();
  /** Where those are that were seen last: output and usage are asked for often. */
  readonly #known = new Map<string, SeenInstance>();

  constructor(world: SwarmWorld, outputs: InstanceOutputs, outputRoot: string) {
    this.#world = world;
    this.#outputs = outputs;
    this.#outputRoot = outputRoot;
    this.#watch = new ExitWatch(world, this.#listeners, (seen) => this.#takeBack(seen));
    this.#spares = new SpareSweep(world, this.#turns);
    this.#telling = new ReachTelling(world);
  }

  async open(): Promise<void> {
    const { engine, reaches } = this.#world;
    mkdirSync(this.#outputRoot, { recursive: true, mode: 0o700 });
    this.#outputs.open();
    this.#outputs.keepTrimmed();
    await reaches.host();
    await engine.imageId();
    await engine.hurryBeats();
    await this.#watch.open((seen) => this.#onLook(seen));
    const view = await this.#look();
    const isUsed = ({ ID }: SwarmService) => view.instances.some(({ service }) => service.ID === ID);
    for (const service of view.services) if (!isUsed(service)) await engine.removeService(service);
    await this.#spares.endOrphans({ ...view, services: view.services.filter(isUsed) });
    await engine.sweepSecrets(view.services);
    await engine.sweepConfigs(this.#world.init.name);
    await this.#telling.tell(view.instances);
  }

  async close(): Promise<void> {
    this.#outputs.endTrimming();
    await this.#watch.close();
  }

  start(spec: InstanceSpec): Promise<InstanceAddress> {
    const begun = this.#starting.get(spec.id) ?? this.#begin(spec).finally(() => this.#starting.delete(spec.id));
    this.#starting.set(spec.id, begun);
    return begun;
  }

  async #begin(spec: InstanceSpec): Promise<InstanceAddress> {
    const running = await this.#find(spec.id);
    if (running && !(await this.#isUnclaimed(running))) return { host: running.claim.host, port: running.claim.port };
    const address = await startTask(spec, { world: this.#world, turns: this.#turns });
    this.#watch.adopt((await this.#look()).instances);
    return address;
  }

  async stop(instanceId: string, { graceMs }: { graceMs: number }): Promise<void> {
    await this.#starting.get(instanceId)?.catch(() => {});
    const begun = this.#stops.get(instanceId);
    if (begun) {
      await Promise.all([
        begun,
        this.#controlOf(instanceId)
          ?.stop(graceMs)
          .catch(() => {}),
      ]);
      return;
    }
    const stopping = this.#stop(instanceId, graceMs).finally(() => this.#stops.delete(instanceId));
    this.#stops.set(instanceId, stopping);
    await stopping;
  }

  async #stop(instanceId: string, graceMs: number): Promise<void> {
    const seen = await this.#find(instanceId);
    if (!seen) return;
    this.#watch.beginStop(instanceId);
    const given = { world: this.#world, turns: this.#turns, outputs: this.#outputs, released: this.#released };
    await stopTask(seen, graceMs, given);
    this.#watch.forget(instanceId);
    this.#known.delete(instanceId);
    this.#released.delete(instanceId);
  }

  async list() {
    const { instances } = await this.#look();
    return instances.map((seen) => describeSeen(seen, this.#watch.exits.get(seen.claim.instanceId) ?? null));
  }

  async usage(): Promise<ReadonlyMap<string, Usage>> {
    const { instances } = await this.#look();
    const running = instances.filter(({ claim, isLive }) => isLive && !this.#watch.exits.has(claim.instanceId));
    const read = running.map(async ({ claim, service }): Promise<[string, Usage][]> => {
      const used = await controlOf(this.#world, service.Spec.Name, claim)
        .usage()
        .catch(() => null);
      return used ? [[claim.instanceId, { ...used, cpus: Number(service.Spec.Labels['lilac.cpus']) }]] : [];
    });
    return new Map((await Promise.all(read)).flat());
  }

  async listeners(instanceId: string) {
    if (this.#watch.exits.has(instanceId)) return [];
    return (await (await this.#control(instanceId))?.listeners()) ?? [];
  }

  async tail(instanceId: string, count: number) {
    return (await (await this.#control(instanceId))?.tail(count)) ?? [];
  }

  async outputs(): Promise<InstanceOutput[]> {
    const { instances } = await this.#look();
    const there = instances.map((seen): InstanceOutput => {
      const { id, organisationId, environmentId, deploymentId, exit } = describeSeen(seen, null);
      const isOver = exit !== null || this.#watch.exits.has(id);
      return { instanceId: id, organisationId, environmentId, deploymentId, isOver, isStopped: false };
    });
    const ids = new Set(there.map(({ instanceId }) => instanceId));
    const stopped = this.#outputs.list().filter(({ instanceId }) => !ids.has(instanceId));
    return [...there, ...stopped.map((labels) => ({ ...labels, isOver: true, isStopped: true }))];
  }

  async readOutput(instanceId: string, from: OutputPosition, maxBytes: number) {
    const control = await this.#control(instanceId);
    return control ? control.output(from, maxBytes) : this.#outputs.read(instanceId, from, maxBytes);
  }

  async releaseOutput(instanceId: string, before: OutputPosition): Promise<void> {
    const control = await this.#control(instanceId);
    if (!control) return this.#outputs.release(instanceId, before);
    this.#released.set(instanceId, before);
    await control.release(before);
  }

  async forgetOutput(instanceId: string): Promise<void> {
    if (await this.#find(instanceId)) {
      throw new Error(`the output of ${instanceId} cannot be removed: it was not stopped`);
    }
    this.#outputs.forget(instanceId);
  }

  onExit(listener: ExitListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async setDoors(doors: Parameters<Runtime['setDoors']>[0], host?: string): Promise<void> {
    await this.#world.reaches.setDoors(doors, host);
    await this.#telling.tell((await this.#look()).instances);
  }

  async network() {
    const { reaches, config } = this.#world;
    const network = await reaches.network();
    if (!isDeepStrictEqual(network, readInstanceNetwork(config))) writeInstanceNetwork(config, network);
    return network;
  }

  async isolation() {
    const lacking = ['What an instance writes into its own folder is bounded by the disk of its machine only.'];
    return { name: 'swarm', lacking };
  }

  /** It was noted by a process that came no further; whoever is next may have its task. */
  async #takeBack({ claim, service }: SeenInstance): Promise<void> {
    await takeBack(claim, { world: this.#world, turns: this.#turns, service });
    this.#watch.forget(claim.instanceId);
  }

  async #isUnclaimed(seen: SeenInstance): Promise<boolean> {
    const control = controlOf(this.#world, seen.service.Spec.Name, seen.claim);
    const status = seen.isLive ? await control.status().catch(() => null) : null;
    if (status?.state !== 'waiting') return false;
    await this.#takeBack(seen);
    return true;
  }

  async #onLook(view: SwarmView): Promise<void> {
    this.#remember(view);
    await this.#spares.sweep(view);
    await this.#world.reaches.see(view.nodes);
    // Not waited for: one that does not answer keeps nobody from being looked at.
    void this.#telling.tell(view.instances);
  }

  async #look(): Promise<SwarmView> {
    const view = await readSwarm(this.#world);
    this.#remember(view);
    return view;
  }

  #remember({ instances }: SwarmView): void {
    this.#known.clear();
    for (const seen of instances) this.#known.set(seen.claim.instanceId, seen);
  }

  async #find(instanceId: string): Promise<SeenInstance | null> {
    return (await this.#look()).instances.find(({ claim }) => claim.instanceId === instanceId) ?? null;
  }

  #controlOf(instanceId: string): TaskControl | null {
    const seen = this.#known.get(instanceId);
    return seen?.isLive ? controlOf(this.#world, seen.service.Spec.Name, seen.claim) : null;
  }

  /** Null for what is not there, or is on a machine that is gone. */
  async #control(instanceId: string): Promise<TaskControl | null> {
    if (!this.#known.has(instanceId)) await this.#look();
    return this.#controlOf(instanceId);
  }
}
