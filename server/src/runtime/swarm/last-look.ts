import { readSwarm, type SeenInstance, type SwarmView } from './swarm-view.ts';
import type { SwarmWorld } from './swarm-world.ts';

/** Somebody looks every second; where nobody does, or that takes long, what is older is looked at again. */
const FRESH_MS = 3000;

/** What was seen of the swarm last: output and usage are asked for often, and listing everything is dear. */
export class LastLook {
  readonly #world: SwarmWorld;
  readonly #known = new Map<string, SeenInstance>();
  /** By instance: since when it is there no more, whatever a look says that had begun before. */
  readonly #gone = new Map<string, number>();
  #seenAt = -Infinity;
  #lookedAt = -Infinity;
  #isLooking = false;

  constructor(world: SwarmWorld) {
    this.#world = world;
  }

  async look(): Promise<SwarmView> {
    const view = await readSwarm(this.#world);
    this.note(view);
    return view;
  }

  note({ begunAt, instances }: SwarmView): void {
    if (begunAt < this.#seenAt) return;
    [this.#seenAt, this.#lookedAt] = [begunAt, begunAt];
    for (const [id, goneAt] of this.#gone) if (goneAt < begunAt) this.#gone.delete(id);
    this.#known.clear();
    for (const seen of instances) {
      if (!this.#gone.has(seen.claim.instanceId)) this.#known.set(seen.claim.instanceId, seen);
    }
  }

  forget(instanceId: string): void {
    this.#known.delete(instanceId);
    this.#gone.set(instanceId, performance.now());
  }

  get(instanceId: string): SeenInstance | undefined {
    return this.#known.get(instanceId);
  }

  /** While the swarm cannot be asked, what is known of it is the best there is. */
  async recent(): Promise<readonly SeenInstance[]> {
    if (this.#lookedAt === -Infinity) await this.look();
    else if (performance.now() - this.#lookedAt > FRESH_MS) void this.#lookBeside();
    return [...this.#known.values()];
  }

  async #lookBeside(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.look();
    } catch (error) {
      this.#world.log.warn({ err: error }, 'the swarm cannot be looked at');
      // Not again at every question.
      this.#lookedAt = performance.now();
    } finally {
      this.#isLooking = false;
    }
  }
}
