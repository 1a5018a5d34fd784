import { setTimeout as delay } from 'node:timers/promises';
import type { Exit, InstanceExit } from '../runtime.ts';
import { exitOfTask, readSwarm, type SeenInstance, type SwarmView } from './swarm-view.ts';
import { controlOf, type SwarmWorld } from './swarm-world.ts';

export type ExitListener = (exit: InstanceExit) => void;

const LOOK_MS = 1000;
/** Of the time, looking at the swarm takes no more than this share. */
const SHARE = 1 / 10;
const AGAIN_MS = 500;
const STATUS_MS = 3000;

/** Learns how instances end: from their first processes, which say so at once, and from the swarm. */
export class ExitWatch {
  readonly exits = new Map<string, Exit>();
  readonly #world: SwarmWorld;
  readonly #listeners: ReadonlySet<ExitListener>;
  /** Those that are stopped by us end without anybody being told. */
  readonly #stopping = new Set<string>();
  readonly #watched = new Map<string, AbortController>();
  readonly #onUnclaimed: (seen: SeenInstance) => Promise<void>;
  #closed = new AbortController();
  #seenAt = -Infinity;
  /** By instance: since when it is there no more, whatever a look says that had begun before. */
  readonly #gone = new Map<string, number>();
  #looking: Promise<void> | undefined;

  /** `onUnclaimed`: it was noted by somebody who came no further. */
  constructor(
    world: SwarmWorld,
    listeners: ReadonlySet<ExitListener>,
    onUnclaimed: (seen: SeenInstance) => Promise<void>,
  ) {
    this.#world = world;
    this.#listeners = listeners;
    this.#onUnclaimed = onUnclaimed;
  }

  /** What had ended before is known afterwards, and nobody is told of it. */
  async open(onLook: (view: SwarmView) => void): Promise<void> {
    this.#closed = new AbortController();
    const view = await readSwarm(this.#world);
    await Promise.all(view.instances.map((seen) => this.#learn(seen)));
    this.adopt(await readSwarm(this.#world));
    this.#looking = this.#keepLooking(onLook);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    for (const watch of this.#watched.values()) watch.abort();
    this.#watched.clear();
    await this.#looking;
  }

  adopt({ begunAt, instances }: SwarmView): void {
    if (begunAt < this.#seenAt) return;
    this.#seenAt = begunAt;
    for (const [id, goneAt] of this.#gone) if (goneAt < begunAt) this.#gone.delete(id);
    const present = new Set(instances.map(({ claim }) => claim.instanceId));
    // Whoever is noted nowhere any more would be asked for ever.
    for (const instanceId of this.#watched.keys()) if (!present.has(instanceId)) this.#leave(instanceId);
    for (const seen of instances) {
      const { instanceId } = seen.claim;
      const isOld = this.exits.has(instanceId) || this.#stopping.has(instanceId) || this.#gone.has(instanceId);
      if (isOld || this.#closed.signal.aborted) continue;
      if (!seen.isLive) this.#note(seen, exitOfTask(seen.task));
      else if (!this.#watched.has(instanceId)) void this.#watch(seen);
    }
  }

  beginStop(instanceId: string): void {
    this.#stopping.add(instanceId);
  }

  forget(instanceId: string): void {
    this.#gone.set(instanceId, performance.now());
    this.#leave(instanceId);
    this.#stopping.delete(instanceId);
    this.exits.delete(instanceId);
  }

  async #learn(seen: SeenInstance): Promise<void> {
    const { claim, service, task, isLive } = seen;
    if (!isLive) return void this.exits.set(claim.instanceId, exitOfTask(task));
    const status = await Promise.race([
      controlOf(this.#world, service.Spec.Name, claim)
        .status()
        .catch(() => null),
      delay(STATUS_MS, null, { ref: false }),
    ]);
    if (status?.exit && status.instanceId === claim.instanceId) this.exits.set(claim.instanceId, status.exit);
    if (status?.state === 'waiting') await this.#onUnclaimed(seen);
  }

  async #watch(seen: SeenInstance): Promise<void> {
    const { claim, service } = seen;
    const ended = new AbortController();
    this.#watched.set(claim.instanceId, ended);
    while (!ended.signal.aborted) {
      try {
        const control = controlOf(this.#world, service.Spec.Name, claim);
        const { state } = await control.status();
        if (ended.signal.aborted) return;
        if (state === 'waiting') return await this.#onUnclaimed(seen);
        this.#note(seen, await control.exit(ended.signal));
        return;
      } catch {
        // The swarm says soon whether it is there at all.
        await delay(AGAIN_MS, undefined, { signal: ended.signal, ref: false }).catch(() => {});
      }
    }
  }

  #note({ claim, service }: SeenInstance, exit: Exit): void {
    const { instanceId } = claim;
    if (this.exits.has(instanceId)) return;
    this.exits.set(instanceId, exit);
    this.#leave(instanceId);
    if (this.#stopping.has(instanceId)) return;
    const environmentId = service.Spec.Labels['lilac.environment'] ?? '';
    for (const listener of this.#listeners) listener({ instanceId, environmentId, ...exit });
  }

  #leave(instanceId: string): void {
    this.#watched.get(instanceId)?.abort();
    this.#watched.delete(instanceId);
  }

  async #keepLooking(onLook: (view: SwarmView) => void): Promise<void> {
    const { signal } = this.#closed;
    let lastMs = 0;
    for (;;) {
      await delay(Math.max(LOOK_MS, lastMs / SHARE), undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      const begun = Date.now();
      try {
        const view = await readSwarm(this.#world);
        lastMs = Date.now() - begun;
        // First: whoever is told of an end asks for what is left of it, and not on a machine that is gone.
        onLook(view);
        this.adopt(view);
      } catch (error) {
        lastMs = Date.now() - begun;
        this.#world.log.warn({ err: error }, 'the swarm cannot be looked at');
      }
    }
  }
}
