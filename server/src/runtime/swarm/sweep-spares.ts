import type { OneAtATime } from './one-at-a-time.ts';
import { lowerReplicas } from './slots.ts';
import { removeUnused } from './start-task.ts';
import { isLive, placeOf, type SwarmTask } from './swarm-tasks.ts';
import type { SwarmView } from './swarm-view.ts';
import { controlOf, type SwarmWorld } from './swarm-world.ts';
import { readClaims } from './claims.ts';
import type { SwarmService } from './engine.ts';

/** So long a task may wait for somebody who wants it: after the loss of a machine its replacements are wanted soon. */
const WANTED_WITHIN_MS = 60_000;

interface Spare {
  service: SwarmService;
  task: SwarmTask;
}

/** Tasks that the swarm made in place of others, and that nobody has claimed. */
export class SpareSweep {
  readonly #world: SwarmWorld;
  readonly #turns: OneAtATime;
  readonly #seenAt = new Map<string, number>();
  /** Those that are being ended: one that does not answer takes its time. */
  readonly #ending = new Set<string>();

  constructor(world: SwarmWorld, turns: OneAtATime) {
    this.#world = world;
    this.#turns = turns;
  }

  /** Nobody waits for it. */
  sweep(view: SwarmView): void {
    if (!this.#world.leadership.isHeld()) return;
    const spares = view.services.flatMap((service) => this.#sparesOf(service, view));
    const known = new Set(spares.map(({ task }) => task.ID));
    for (const id of this.#seenAt.keys()) if (!known.has(id)) this.#seenAt.delete(id);
    for (const spare of spares) {
      const since = this.#seenAt.get(spare.task.ID) ?? Date.now();
      this.#seenAt.set(spare.task.ID, since);
      if (Date.now() - since > WANTED_WITHIN_MS) void this.#tryToEnd(spare, view);
    }
  }

  /** Programs that were given up by somebody who could not end them any more: a claim is noted before it is made. */
  async endOrphans(view: SwarmView): Promise<void> {
    const spares = view.services.flatMap((service) => this.#sparesOf(service, view));
    const looked = spares.map(async (spare) => {
      const place = placeOf(spare.task, view.nodes);
      const status = place && (await controlOf(this.#world, spare.service.Spec.Name, place).status());
      if (status && status.instanceId !== null) await this.#end(spare, view);
    });
    for (const result of await Promise.allSettled(looked)) {
      if (result.status === 'rejected')
        this.#world.log.warn({ err: result.reason }, 'a task that nobody has says nothing');
    }
  }

  /** Never rejects. */
  async #tryToEnd(spare: Spare, view: SwarmView): Promise<void> {
    const { ID: taskId } = spare.task;
    if (this.#ending.has(taskId)) return;
    this.#ending.add(taskId);
    try {
      await this.#end(spare, view);
    } catch (error) {
      this.#world.log.warn({ err: error, task: taskId }, 'a task that nobody wants does not end; it is tried again');
    } finally {
      this.#ending.delete(taskId);
      // Not at every look.
      this.#seenAt.set(taskId, Date.now());
    }
  }

  #sparesOf(service: SwarmService, { tasks, nodes }: SwarmView): Spare[] {
    const { taken, waiting } = this.#world;
    if ((waiting.get(service.Spec.Name) ?? 0) > 0) return [];
    const claimed = new Set(readClaims(service.Spec.Labels).map(({ taskId }) => taskId));
    return tasks
      .filter((task) => task.ServiceID === service.ID && isLive(task, nodes))
      .filter(({ ID }) => !claimed.has(ID) && !taken.has(ID))
      .map((task) => ({ service, task }));
  }

  async #end({ service, task }: Spare, { nodes }: SwarmView): Promise<void> {
    const { Name: name } = service.Spec;
    const place = placeOf(task, nodes);
    if (!place || !(await this.#turns.run(name, () => this.#take(name, task.ID)))) return;
    try {
      await controlOf(this.#world, name, place).end();
      await this.#turns.run(name, () => this.#settle(service));
    } finally {
      this.#world.taken.delete(task.ID);
    }
  }

  /** Somebody may have claimed it since it was looked at. */
  async #take(name: string, taskId: string): Promise<boolean> {
    const { engine, taken, leadership } = this.#world;
    await leadership.certain();
    const claims = readClaims((await engine.find(name))?.Spec.Labels ?? {});
    if (taken.has(taskId) || claims.some((claim) => claim.taskId === taskId)) return false;
    taken.add(taskId);
    return true;
  }

  async #settle({ ID, Spec: { Name: name } }: SwarmService): Promise<void> {
    const { engine, leadership } = this.#world;
    await engine.change(ID, async ({ Spec }) => {
      await leadership.certain();
      const { Replicas: before } = Spec.Mode.Replicated;
      const replicas = lowerReplicas(before, await engine.tasks([ID]));
      return replicas === before ? null : { replicas };
    });
    await removeUnused(this.#world, name);
  }
}
