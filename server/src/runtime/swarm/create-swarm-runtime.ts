import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pathsOf, type Config } from '../../config.ts';
import { soleLeadership, type Leadership } from '../../jobs/leadership.ts';
import type { Log } from '../../lib/log.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { readInstanceNetwork, writeInstanceNetwork } from '../instance-network-file.ts';
import { InstanceOutputs } from '../output/instance-outputs.ts';
import type { InstanceAddress, InstanceOutput, InstanceSpec, OutputPosition, Runtime, Usage } from '../runtime.ts';
import type { ToolSource } from '../tools.ts';
import { AddressRest } from './address-rest.ts';
import { AnswersInTime } from './answers-in-time.ts';
import { takeBack } from './claim-task.ts';
import type { TaskControl } from './control-client.ts';
import { SwarmEngine, type SwarmService } from './engine.ts';
import { ExitWatch, type ExitListener } from './exit-watch.ts';
import { explainStart } from './explain-start.ts';
import { LastLook } from './last-look.ts';
import type { BuildMarks } from './mark-builds.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { packInit } from './pack-init.ts';
import { ReachTelling } from './reach-telling.ts';
import { Reaches } from './reaches.ts';
import { startTask } from './start-task.ts';
import { stopTask } from './stop-task.ts';
import { SpareSweep } from './sweep-spares.ts';
import { describeSeen, type SeenInstance, type SwarmView } from './swarm-view.ts';
import { controlOf, type SwarmWorld } from './swarm-world.ts';
import { TaskOutputs } from './task-outputs.ts';

/** Who has not said by then what it uses is left out: whoever scales all others does not wait for it. */
const USAGE_MS = 1000;
/** What is set right at the beginning goes on afterwards: a machine that is just being lost keeps nobody waiting. */
const SETTLE_MS = 1000;

export interface SwarmRuntimeDeps {
  config: Config;
  log: Log;
  objects: ObjectStore;
  tools: ToolSource;
  /** The same on every host: whoever leads next must open the same control ports. */
  controlKey: Buffer;
  /** Left out: nobody else can lead. */
  leadership?: Pick<Leadership, 'isHeld' | 'certain'>;
  /** What keeps builds of this host from instances, and may be missing. */
  marks?: Pick<BuildMarks, 'lacking'>;
}

/** Instances as tasks of a Docker Swarm, on whichever machine it puts them. */
export function createSwarmRuntime(deps: SwarmRuntimeDeps): Runtime {
  const { config, log, objects, tools, controlKey, leadership = soleLeadership, marks } = deps;
  const { outputs: outputRoot } = pathsOf(config);
  // By what all its hosts share and nothing changes: whatever address it has, it finds what is its own.
  const platform = createHmac('sha256', controlKey).update('platform').digest('hex').slice(0, 12);
  const engine = new SwarmEngine(config.runtime.dockerSocket, platform);
  const reaches = new Reaches({ engine, config });
  const init = packInit();
  const shared = { config, log, objects, tools, engine, init, controlKey, reaches, leadership };
  const noted = {
    taken: new Set<string>(),
    waiting: new Map(),
    starting: new Set<string>(),
    silent: new Set<string>(),
    addresses: new AddressRest(),
  };
  const world: SwarmWorld = { ...shared, ...noted };
  return new SwarmRuntime(world, new InstanceOutputs({ root: outputRoot, log }), { outputRoot, marks });
}

class SwarmRuntime implements Runtime {
  readonly #world: SwarmWorld;
  readonly #kept: InstanceOutputs;
  readonly #outputRoot: string;
  readonly #marks: SwarmRuntimeDeps['marks'];
  readonly #turns = new OneAtATime();
  readonly #listeners = new Set<ExitListener>();
  readonly #watch: ExitWatch;
  readonly #spares: SpareSweep;
  readonly #telling: ReachTelling;
  readonly #starting = new Map<string, Promise<InstanceAddress>>();
  readonly #stops = new Map<string, Promise<void>>();
  readonly #last: LastLook;
  readonly #outputs: TaskOutputs;
  readonly #usage = new AnswersInTime<Omit<Usage, 'cpus'> | null>(USAGE_MS);

  constructor(
    world: SwarmWorld,
    kept: InstanceOutputs,
    { outputRoot, marks }: { outputRoot: string } & Pick<SwarmRuntimeDeps, 'marks'>,
  ) {
    this.#world = world;
    this.#kept = kept;
    this.#outputRoot = outputRoot;
    this.#marks = marks;
    this.#watch = new ExitWatch(world, this.#listeners, (seen) => this.#takeBack(seen));
    this.#spares = new SpareSweep(world, this.#turns);
    this.#telling = new ReachTelling(world);
    this.#last = new LastLook(world);
    const { exits } = this.#watch;
    this.#outputs = new TaskOutputs({ kept, last: this.#last, exits, control: (id) => this.#control(id) });
  }

  async open(): Promise<void> {
    const { engine, reaches, leadership } = this.#world;
    mkdirSync(this.#outputRoot, { recursive: true, mode: 0o700 });
    this.#kept.open();
    this.#kept.keepTrimmed();
    await reaches.host();
    await engine.imageId();
    await engine.hurryBeats();
    await this.#watch.open((seen) => this.#onLook(seen));
    const view = await this.#last.look();
    const isUsed = ({ ID }: SwarmService) => view.instances.some(({ service }) => service.ID === ID);
    for (const service of view.services) {
      if (isUsed(service)) continue;
      await leadership.certain();
      await engine.removeService(service);
    }
    await leadership.certain();
    await engine.sweepSecrets(view.services);
    await engine.sweepConfigs(this.#world.init.name);
    const used = { ...view, services: view.services.filter(isUsed) };
    const settled = Promise.all([this.#spares.endOrphans(used), this.#telling.tell(view.instances)]);
    await Promise.race([settled, delay(SETTLE_MS, undefined, { ref: false })]);
  }

  async close(): Promise<void> {
    this.#kept.endTrimming();
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
    const address = await startTask(spec, { world: this.#world, turns: this.#turns }).catch((error: unknown) => {
      throw explainStart(error, this.#world.config.runtime.dockerSocket);
    });
    this.#watch.adopt(await this.#last.look());
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
    if (!seen) return this.#forget(instanceId);
    this.#watch.beginStop(instanceId);
    const { released } = this.#outputs;
    await stopTask(seen, graceMs, { world: this.#world, turns: this.#turns, outputs: this.#kept, released });
    this.#forget(instanceId);
  }

  #forget(instanceId: string): void {
    this.#watch.forget(instanceId);
    this.#last.forget(instanceId);
    this.#outputs.released.delete(instanceId);
  }

  async list() {
    const { instances } = await this.#last.look();
    return instances.map((seen) => describeSeen(seen, this.#watch.exits.get(seen.claim.instanceId) ?? null));
  }

  async usage(): Promise<ReadonlyMap<string, Usage>> {
    const seen = new Map((await this.#last.recent()).map((each) => [each.claim.instanceId, each]));
    const running = [...seen].filter(([id, { isLive }]) => isLive && !this.#watch.exits.has(id)).map(([id]) => id);
    const answers = await this.#usage.from(running, (id) => this.#controlTo(seen.get(id)!).usage());
    return new Map(
      [...answers].flatMap(([id, used]): [string, Usage][] =>
        used ? [[id, { ...used, cpus: Number(seen.get(id)!.service.Spec.Labels['lilac.cpus']) }]] : [],
      ),
    );
  }

  async listeners(instanceId: string) {
    if (this.#watch.exits.has(instanceId)) return [];
    return (await (await this.#control(instanceId))?.listeners()) ?? [];
  }

  async tail(instanceId: string, count: number) {
    return (await (await this.#control(instanceId))?.tail(count)) ?? [];
  }

  outputs(): Promise<InstanceOutput[]> {
    return this.#outputs.list();
  }

  readOutput(instanceId: string, from: OutputPosition, maxBytes: number) {
    return this.#outputs.read(instanceId, from, maxBytes);
  }

  releaseOutput(instanceId: string, before: OutputPosition): Promise<void> {
    return this.#outputs.release(instanceId, before);
  }

  forgetOutput(instanceId: string): Promise<void> {
    return this.#outputs.forget(instanceId);
  }

  onExit(listener: ExitListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async setDoors(...[doors, host, machines]: Parameters<Runtime['setDoors']>): Promise<void> {
    await this.#world.reaches.setDoors(doors, host, machines);
    await this.#telling.tell((await this.#last.look()).instances);
  }

  async network() {
    const { reaches, config } = this.#world;
    const network = await reaches.network();
    if (!isDeepStrictEqual(network, readInstanceNetwork(config))) writeInstanceNetwork(config, network);
    return network;
  }

  async isolation() {
    const always = 'What an instance writes into its own folder is bounded by the disk of its machine only.';
    return { name: 'swarm', lacking: [always, ...(this.#marks?.lacking() ?? [])] };
  }

  /** It was noted by a process that came no further; whoever is next may have its task. */
  async #takeBack({ claim, service }: SeenInstance): Promise<void> {
    await takeBack(claim, { world: this.#world, turns: this.#turns, service });
    this.#watch.forget(claim.instanceId);
  }

  async #isUnclaimed(seen: SeenInstance): Promise<boolean> {
    const status = seen.isLive
      ? await this.#controlTo(seen)
          .status()
          .catch(() => null)
      : null;
    if (status?.state !== 'waiting') return false;
    await this.#takeBack(seen);
    return true;
  }

  /** Nobody waits for what comes of it: one that does not answer keeps nobody from being looked at. */
  #onLook(view: SwarmView): void {
    const { silent, addresses, reaches, log } = this.#world;
    this.#last.note(view);
    addresses.see(view.instances);
    const present = new Set(view.tasks.map(({ ID }) => ID));
    for (const taskId of silent) if (!present.has(taskId)) silent.delete(taskId);
    this.#spares.sweep(view);
    reaches.see(view.nodes).then(
      () => this.#telling.tell(view.instances),
      (error: unknown) => log.warn({ err: error }, 'the machines of the swarm cannot be looked at'),
    );
  }

  async #find(instanceId: string): Promise<SeenInstance | null> {
    return (await this.#last.look()).instances.find(({ claim }) => claim.instanceId === instanceId) ?? null;
  }

  #controlTo({ service, claim }: SeenInstance): TaskControl {
    return controlOf(this.#world, service.Spec.Name, claim);
  }

  #controlOf(instanceId: string): TaskControl | null {
    const seen = this.#last.get(instanceId);
    return seen?.isLive ? this.#controlTo(seen) : null;
  }

  /** Null for what is not there, or is on a machine that is gone. */
  async #control(instanceId: string): Promise<TaskControl | null> {
    if (!this.#last.get(instanceId)) await this.#last.recent();
    return this.#controlOf(instanceId);
  }
}
