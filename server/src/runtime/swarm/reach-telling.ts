import { controlOf, type SwarmWorld } from './swarm-world.ts';
import type { SeenInstance } from './swarm-view.ts';

/** Tells tasks whom they reach. */
export class ReachTelling {
  readonly #world: SwarmWorld;

  constructor(world: SwarmWorld) {
    this.#world = world;
  }

  /** One that cannot be told now is told by the next look that finds something new; a new one learns it at its start. */
  async tell(instances: readonly SeenInstance[]): Promise<void> {
    const told = instances.map(async ({ claim, service, isLive }) => {
      if (!isLive) return;
      const reach = await this.#world.reaches.of(service.Spec.Labels['lilac.organisation'] ?? '');
      await controlOf(this.#world, service.Spec.Name, claim).setReach(reach);
    });
    for (const result of await Promise.allSettled(told)) {
      if (result.status === 'rejected')
        this.#world.log.warn({ err: result.reason }, 'a task cannot be told whom it reaches');
    }
  }
}
