import { controlOf, type SwarmWorld } from './swarm-world.ts';
import type { SeenInstance } from './swarm-view.ts';

/** Tells every task whom it reaches, until it knows what is true now. */
export class ReachTelling {
  readonly #world: SwarmWorld;
  /** By task: what it has last been told. */
  readonly #told = new Map<string, string>();
  /** By task: who is being told just now. */
  readonly #telling = new Map<string, Promise<void>>();
  /** Of these it was said that they cannot be told. */
  readonly #deaf = new Set<string>();

  constructor(world: SwarmWorld) {
    this.#world = world;
  }

  /** Who cannot be told is told by the next look, or the one after it. Resolves when everybody was tried. */
  async tell(instances: readonly SeenInstance[]): Promise<void> {
    // What they know is better than nothing: another worker told them, and it had it from the store.
    // And who may lead no more would tell what the one who does has told otherwise.
    if (!this.#world.reaches.isKnown() || !this.#world.leadership.isHeld()) return;
    const live = instances.filter(({ isLive }) => isLive);
    this.#forgetOthers(new Set(live.map(({ claim }) => claim.taskId)));
    await Promise.all(live.map((seen) => this.#tellOne(seen)));
  }

  #tellOne(seen: SeenInstance): Promise<void> {
    const { taskId } = seen.claim;
    const begun = this.#telling.get(taskId);
    if (begun) return begun;
    const telling = this.#tryTelling(seen).finally(() => this.#telling.delete(taskId));
    this.#telling.set(taskId, telling);
    return telling;
  }

  /** Never rejects. */
  async #tryTelling({ claim, service }: SeenInstance): Promise<void> {
    const { taskId, instanceId } = claim;
    try {
      const reach = await this.#world.reaches.of(service.Spec.Labels['lilac.organisation'] ?? '');
      const text = JSON.stringify(reach);
      if (this.#told.get(taskId) === text) return;
      await controlOf(this.#world, service.Spec.Name, claim).setReach(reach);
      this.#told.set(taskId, text);
      this.#deaf.delete(taskId);
    } catch (error) {
      if (this.#deaf.has(taskId)) return;
      this.#deaf.add(taskId);
      this.#world.log.warn({ err: error, instance: instanceId }, 'a task cannot be told whom it reaches yet');
    }
  }

  #forgetOthers(present: ReadonlySet<string>): void {
    for (const known of [this.#told, this.#deaf]) {
      for (const taskId of known.keys()) if (!present.has(taskId)) known.delete(taskId);
    }
  }
}
