import type { InstanceUse } from '../../metrics/usage-meter.ts';
import { forgetOverdueEdges, readEdgeLoads } from '../../routing/route-store.ts';
import type { Instance } from '../../runtime/runtime.ts';
import { readOutlines } from './fleet-store.ts';
import { nowOf, type FleetWorld } from './fleet-world.ts';
import type { Keeper } from './keeper.ts';

export interface FleetRoundsDeps {
  world: FleetWorld;
  keepers: Map<string, Keeper>;
  /** Makes one where there is none. */
  keeperOf: (environmentId: string) => Keeper;
  stopping: AbortSignal;
}

/** Changes are told besides: with very many environments, looking at all of them takes this share of the time at most. */
const LOOK_SHARE = 1 / 20;

/** What the fleet looks at again and again, and tells its keepers. A look that fails is taken again soon. */
export class FleetRounds {
  readonly #deps: FleetRoundsDeps;
  readonly #isDue = createDueTimes();
  #lookTookMs = 0;
  #isCounting = false;

  constructor(deps: FleetRoundsDeps) {
    this.#deps = deps;
  }

  /** What edges report is read each time; the rest is looked at when its time has come. */
  async goRound(): Promise<void> {
    const { timing } = this.#deps.world;
    await this.readLoads();
    if (this.#isDue('usage', timing.tickMs)) await this.#attempt(() => this.#readUsage());
    const lookMs = Math.max(timing.lookMs, this.#lookTookMs / LOOK_SHARE);
    if (this.#isDue('rows', lookMs)) await this.#attempt(() => this.#readRows());
    if (this.#isDue('checks', timing.checkMs)) this.#checkAll();
    for (const keeper of this.#deps.keepers.values()) keeper.poke();
  }

  async readLoads(): Promise<void> {
    const { world, keeperOf } = this.#deps;
    const { board, store } = world;
    await this.#attempt(async () => board.replace(await readEdgeLoads(store.db, board.reports()), nowOf(world)));
    const gone = board.gone();
    // Releases, and whoever closes an address, would look out for them for a while, each time.
    if (gone.length > 0) await this.#attempt(() => forgetOverdueEdges(store.db, gone));
    // What an edge told at once may not have been heard.
    for (const id of board.waitedFor()) keeperOf(id);
  }

  async #readUsage(): Promise<void> {
    const { world, keepers } = this.#deps;
    const usage = await world.runtime.usage();
    const running: InstanceUse[] = [];
    for (const { environmentId, crew } of keepers.values()) {
      for (const { id, condition } of crew.all()) {
        const used = usage.get(id);
        if (used) running.push({ id, environmentId, ...used });
        if (used && condition === 'up') world.cpu.note(id, { atMs: nowOf(world), ...used });
      }
    }
    world.onUsage?.(running);
  }

  async #readRows(): Promise<void> {
    const { world, keepers, keeperOf } = this.#deps;
    const begunAt = performance.now();
    const stirring = [...keepers].flatMap(([id, keeper]) => (keeper.isDormant() ? [] : id));
    const outlines = await readOutlines(world.store.db, stirring);
    this.#lookTookMs = performance.now() - begunAt;
    const byId = new Map(outlines.map((outline) => [outline.environmentId, outline]));
    for (const id of byId.keys()) keeperOf(id);
    for (const [id, keeper] of keepers) {
      if (!byId.has(id) && keeper.isIdle()) this.#forget(id);
      else keeper.see(byId.get(id) ?? null);
    }
  }

  #forget(environmentId: string): void {
    this.#deps.keepers.delete(environmentId);
    this.#deps.world.board.forget(environmentId);
  }

  /** In the background: one that does not answer keeps nothing waiting. */
  #checkAll(): void {
    for (const keeper of this.#deps.keepers.values()) keeper.check();
    if (this.#isCounting) return;
    this.#isCounting = true;
    void this.#attempt(() => this.#count()).finally(() => (this.#isCounting = false));
  }

  #crews() {
    return [...this.#deps.keepers.values()].map(({ crew }) => crew);
  }

  async #count(): Promise<void> {
    const { runtime, departed } = this.#deps.world;
    const before = new Set(this.#crews().flatMap((crew) => crew.placed()));
    departed.clear();
    const listed = new Map((await runtime.list()).map((instance): [string, Instance] => [instance.id, instance]));
    for (const crew of this.#crews()) crew.compare(listed, before);
    this.#adoptStrays(listed.values());
  }

  /** What runs and nobody here started: another process did, in its last moment. */
  #adoptStrays(listed: Iterable<Instance>): void {
    const { world, keeperOf } = this.#deps;
    for (const instance of listed) {
      const { crew } = keeperOf(instance.environmentId);
      if (!crew.has(instance.id) && !world.departed.has(instance.id)) crew.adopt(instance, null);
    }
  }

  async #attempt(look: () => Promise<void>): Promise<void> {
    const { world, stopping } = this.#deps;
    await look().catch((error: unknown) => {
      if (!stopping.aborted) world.log.warn({ err: error }, 'the fleet could not look; it looks again soon');
    });
  }
}

/** Whether so long has passed since it last was. */
function createDueTimes(): (what: string, everyMs: number) => boolean {
  const last = new Map<string, number>();
  return (what, everyMs) => {
    const isDue = performance.now() - (last.get(what) ?? 0) >= everyMs;
    if (isDue) last.set(what, performance.now());
    return isDue;
  };
}
