import type { OneAtATime } from './one-at-a-time.ts';
import { replicasWithout } from './stop-task.ts';
import { isLive, placeOf, type SwarmTask } from './swarm-tasks.ts';
import type { SwarmView } from './swarm-view.ts';
import { controlOf, type SwarmWorld } from './swarm-world.ts';
import { readClaims } from './claims.ts';
import type { SwarmService } from './engine.ts';

/** So long a task may wait for somebody who wants it: after the loss of a machine its replacements are wanted soon. */
const WANTED_WITHIN_MS = 60_000;

/** Tasks that the swarm made in place of others, and that nobody has claimed. */
export class SpareSweep {
  readonly #world: SwarmWorld;
  readonly #turns: OneAtATime;
  readonly #seenAt = new Map<string, number>();

  constructor(world: SwarmWorld, turns: OneAtATime) {
    this.#world = world;
    this.#turns = turns;
  }

  async sweep(view: SwarmView): Promise<void> {
    const spares = view.services.flatMap((service) => this.#sparesOf(service, view));
    const known = new Set(spares.map(({ task }) => task.ID));
    for (const id of this.#seenAt.keys()) if (!known.has(id)) this.#seenAt.delete(id);
    for (const { service, task } of spares) {
      const since = this.#seenAt.get(task.ID) ?? Date.now();
      this.#seenAt.set(task.ID, since);
      if (Date.now() - since > WANTED_WITHIN_MS) await this.#end(service, task, view);
    }
  }

  #sparesOf(service: SwarmService, { tasks, nodes }: SwarmView): { service: SwarmService; task: SwarmTask }[] {
    const { taken, waiting } = this.#world;
    if ((waiting.get(service.Spec.Name) ?? 0) > 0) return [];
    const claimed = new Set(readClaims(service.Spec.Labels).map(({ taskId }) => taskId));
    return tasks
      .filter((task) => task.ServiceID === service.ID && isLive(task, nodes))
      .filter(({ ID }) => !claimed.has(ID) && !taken.has(ID))
      .map((task) => ({ service, task }));
  }

  async #end(service: SwarmService, task: SwarmTask, { nodes }: SwarmView): Promise<void> {
    const { engine, taken } = this.#world;
    const place = placeOf(task, nodes);
    if (!place) return;
    taken.add(task.ID);
    try {
      await controlOf(this.#world, service.Spec.Name, place).end();
      await this.#turns.run(service.Spec.Name, () =>
        engine.change(service.ID, async ({ Spec }) => {
          const { Replicas: replicas } = Spec.Mode.Replicated;
          return { replicas: await replicasWithout(task, service.ID, { engine, replicas }) };
        }),
      );
    } finally {
      taken.delete(task.ID);
    }
  }
}
