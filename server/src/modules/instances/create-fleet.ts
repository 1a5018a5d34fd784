import { setTimeout as delay } from 'node:timers/promises';
import { soleLeadership } from '../../jobs/leadership.ts';
import { createWakeSignal } from '../../jobs/wake-signal.ts';
import { LineWriter } from '../../logs/line-writer.ts';
import type { ChannelListener } from '../../routing/channel-listener.ts';
import { DEMAND_CHANNEL, DRAINED_CHANNEL, type Demand } from '../../routing/edge-load.ts';
import { FLEET_CHANNEL } from '../../routing/fleet-signal-store.ts';
import { forgetOverdueEdges, readEdgeLoads } from '../../routing/route-store.ts';
import type { InstanceUse } from '../../metrics/usage-meter.ts';
import type { Instance } from '../../runtime/runtime.ts';
import { CpuMeter } from './cpu-meter.ts';
import { fleetTiming, type Fleet, type FleetDeps } from './fleet.ts';
import { nowOf, type FleetWorld } from './fleet-world.ts';
import { readOutlines } from './fleet-store.ts';
import { Keeper } from './keeper.ts';
import { LoadBoard } from './load-board.ts';
import { prepareCandidates, untilAborted } from './prepare-candidates.ts';

/** Who keeps the fleet hears of these. */
export const FLEET_CHANNELS = [FLEET_CHANNEL, DEMAND_CHANNEL, DRAINED_CHANNEL];

/** Edges follow within milliseconds: who waits for them looks often at first. */
const FIRST_HURRY_MS = 5;
const CLEAR_LOOK_MS = 20;
/** So many times as long as one may take to start is waited until others have taken the places of outdated instances. */
const RENEW_STARTS = 3;
/** What an instance wrote last is in the log by then: it reads better before than after what became of it. */
const TELL_AFTER_MS = 300;
const TELL_EVERY_MS = 100;
/** Changes are told besides: with very many environments, looking at all of them takes this share of the time at most. */
const LOOK_SHARE = 1 / 20;

export function createFleet(deps: FleetDeps): Fleet {
  const { store, runtime, log } = deps;
  const timing = { ...fleetTiming, ...deps.timing };
  const alarm = createWakeSignal();
  const keepers = new Map<string, Keeper>();
  const opened = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let hurryMs = timing.tickMs;
  let lookTookMs = 0;
  let counting: Promise<void> | undefined;
  const times = { everyMs: TELL_EVERY_MS, restMs: TELL_AFTER_MS };
  const lines = new LineWriter({ db: store.db, clock: deps.clock, log, caps: null, ...times });
  const world: FleetWorld = {
    ...deps,
    timing,
    leadership: deps.leadership ?? soleLeadership,
    lines,
    board: new LoadBoard({ returnMs: timing.edgesReturnMs }),
    cpu: new CpuMeter(),
    departed: new Set(),
    hurry() {
      hurryMs = FIRST_HURRY_MS;
      alarm.wake();
    },
  };

  function keeperOf(environmentId: string): Keeper {
    const known = keepers.get(environmentId);
    if (known) return known;
    const keeper = new Keeper(world, environmentId);
    keepers.set(environmentId, keeper);
    return keeper;
  }

  function onNotification(channel: string, payload: string): void {
    if (channel === FLEET_CHANNEL) void keeperOf(payload).refresh();
    else if (channel === DRAINED_CHANNEL) alarm.wake();
    else onDemand(JSON.parse(payload) as Demand);
  }

  function onDemand(demand: Demand): void {
    world.board.note(demand, nowOf(world));
    keeperOf(demand.environmentId).poke();
  }

  /** Who sleeps as it should gets a keeper when somebody asks for it: a start takes no longer for a million of them. */
  async function adopt(): Promise<void> {
    const [instances, outlines] = await Promise.all([runtime.list(), readOutlines(store.db, [])]);
    const found = Map.groupBy(instances, ({ environmentId }) => environmentId);
    const ids = new Set([...found.keys(), ...outlines.map(({ environmentId }) => environmentId)]);
    for (const id of ids) await keeperOf(id).adopt(found.get(id) ?? []);
  }

  /** What edges report is read each time; the rest is looked at when its time has come. */
  async function follow(): Promise<void> {
    const isDue = createDueTimes();
    while (!stopping.signal.aborted) {
      await alarm.wait(hurryMs);
      hurryMs = Math.min(timing.tickMs, hurryMs * 1.5);
      if (stopping.signal.aborted) return;
      await readLoads();
      if (isDue('usage', timing.tickMs)) await attempt(readUsage);
      if (isDue('rows', Math.max(timing.lookMs, lookTookMs / LOOK_SHARE))) await attempt(readRows);
      if (isDue('checks', timing.checkMs)) checkAll();
      for (const keeper of keepers.values()) keeper.poke();
    }
  }

  async function readLoads(): Promise<void> {
    await attempt(async () => world.board.replace(await readEdgeLoads(store.db, world.board.reports()), nowOf(world)));
    const gone = world.board.gone();
    // Releases, and whoever closes an address, would look out for them for a while, each time.
    if (gone.length > 0) await attempt(() => forgetOverdueEdges(store.db, gone));
    // What an edge told at once may not have been heard.
    for (const id of world.board.waitedFor()) keeperOf(id);
  }

  async function readUsage(): Promise<void> {
    const usage = await runtime.usage();
    const running: InstanceUse[] = [];
    for (const { environmentId, crew } of keepers.values()) {
      for (const { id, condition } of crew.all()) {
        const used = usage.get(id);
        if (used) running.push({ id, environmentId, ...used });
        if (used && condition === 'up') world.cpu.note(id, { atMs: nowOf(world), ...used });
      }
    }
    deps.onUsage?.(running);
  }

  async function readRows(): Promise<void> {
    const begunAt = performance.now();
    const stirring = [...keepers].flatMap(([id, keeper]) => (keeper.isDormant() ? [] : id));
    const outlines = await readOutlines(store.db, stirring);
    lookTookMs = performance.now() - begunAt;
    const byId = new Map(outlines.map((outline) => [outline.environmentId, outline]));
    for (const id of byId.keys()) keeperOf(id);
    for (const [id, keeper] of keepers) {
      if (!byId.has(id) && keeper.isIdle()) forget(id);
      else keeper.see(byId.get(id) ?? null);
    }
  }

  function forget(environmentId: string): void {
    keepers.delete(environmentId);
    world.board.forget(environmentId);
  }

  /** In the background: one that does not answer keeps nothing waiting. */
  function checkAll(): void {
    for (const keeper of keepers.values()) keeper.check();
    counting ??= attempt(count).finally(() => (counting = undefined));
  }

  const crews = () => [...keepers.values()].map(({ crew }) => crew);

  async function count(): Promise<void> {
    const before = new Set(crews().flatMap((crew) => crew.placed()));
    world.departed.clear();
    const listed = new Map((await runtime.list()).map((instance): [string, Instance] => [instance.id, instance]));
    for (const crew of crews()) crew.compare(listed, before);
    adoptStrays(listed.values());
  }

  /** What runs and nobody here started: another process did, in its last moment. */
  function adoptStrays(listed: Iterable<Instance>): void {
    for (const instance of listed) {
      const { crew } = keeperOf(instance.environmentId);
      if (!crew.has(instance.id) && !world.departed.has(instance.id)) crew.adopt(instance, null);
    }
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'the fleet could not look; it looks again soon');
    });
  }

  let listener: ChannelListener | undefined;
  let following: Promise<void> | undefined;
  let stopListening: (() => void) | undefined;
  return {
    async start() {
      stopListening = runtime.onExit((exit) => keepers.get(exit.environmentId)?.noteExit(exit));
      await runtime.open();
      await adopt();
      await readLoads();
      listener = deps.channels.listen({
        channels: FLEET_CHANNELS,
        onNotification,
        onConnect: () => keepers.forEach((keeper) => void keeper.refresh()),
      });
      following = follow();
      opened.resolve();
    },
    async stop() {
      stopping.abort();
      alarm.wake();
      stopListening?.();
      await Promise.all([listener?.close(), following, ...[...keepers.values()].map((keeper) => keeper.close())]);
      await lines.close();
      await runtime.close();
    },
    async prepare({ environmentId, deploymentId }, options) {
      const signal = AbortSignal.any([options.signal, stopping.signal]);
      await untilAborted(opened.promise, signal);
      const keeper = keeperOf(environmentId);
      return prepareCandidates(world, { keeper, deploymentId }, { ...options, signal });
    },
    async settle({ environmentId, deploymentId }) {
      const keeper = keepers.get(environmentId);
      await keeper?.refresh();
      keeper?.unpin(deploymentId);
    },
    inMind: () => keepers.size,
    serving: (environmentId) => keepers.get(environmentId)?.serving() ?? [],
    async renew(environmentId, given) {
      const signal = AbortSignal.any([given, stopping.signal]);
      await untilAborted(opened.promise, signal);
      const keeper = keeperOf(environmentId);
      const giveUpAt = performance.now() + RENEW_STARTS * deps.config.instances.startWithinMs;
      for (await keeper.renew(); !keeper.isRenewed(); keeper.poke()) {
        if (performance.now() > giveUpAt) throw new Error(`the instances of ${environmentId} could not be replaced`);
        await delay(CLEAR_LOOK_MS, undefined, { signal });
      }
    },
    async clear(environmentId, signal) {
      await untilAborted(opened.promise, AbortSignal.any([signal, stopping.signal]));
      const keeper = keeperOf(environmentId);
      for (await keeper.refresh(); keeper.crew.all().length > 0; keeper.poke()) {
        await delay(CLEAR_LOOK_MS, undefined, { signal: AbortSignal.any([signal, stopping.signal]) });
      }
    },
  };
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
