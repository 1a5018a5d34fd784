import { soleLeadership } from '../../jobs/leadership.ts';
import { createWakeSignal } from '../../jobs/wake-signal.ts';
import { LineWriter } from '../../logs/line-writer.ts';
import type { ChannelListener } from '../../routing/channel-listener.ts';
import { DEMAND_CHANNEL, DRAINED_CHANNEL, type Demand } from '../../routing/edge-load.ts';
import { FLEET_CHANNEL } from '../../routing/fleet-signal-store.ts';
import { CpuMeter } from './cpu-meter.ts';
import { fleetTiming, type Fleet, type FleetDeps } from './fleet.ts';
import { FleetRounds } from './fleet-rounds.ts';
import { nowOf, type FleetWorld } from './fleet-world.ts';
import { readOutlines } from './fleet-store.ts';
import { untilCleared, untilRenewed } from './fleet-waits.ts';
import { Keeper } from './keeper.ts';
import { LoadBoard } from './load-board.ts';
import { prepareCandidates, untilAborted } from './prepare-candidates.ts';

/** Who keeps the fleet hears of these. */
export const FLEET_CHANNELS = [FLEET_CHANNEL, DEMAND_CHANNEL, DRAINED_CHANNEL];

/** Edges follow within milliseconds: who waits for them looks often at first. */
const FIRST_HURRY_MS = 5;
/** So many times as long as one may take to start is waited until others have taken the places of outdated instances. */
const RENEW_STARTS = 3;
/** What an instance wrote last is in the log by then: it reads better before than after what became of it. */
const TELL_AFTER_MS = 300;
const TELL_EVERY_MS = 100;

export function createFleet(deps: FleetDeps): Fleet {
  const { store, runtime, log } = deps;
  const timing = { ...fleetTiming, ...deps.timing };
  const alarm = createWakeSignal();
  const keepers = new Map<string, Keeper>();
  const opened = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let hurryMs = timing.tickMs;
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

  const rounds = new FleetRounds({ world, keepers, keeperOf, stopping: stopping.signal });

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

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await alarm.wait(hurryMs);
      hurryMs = Math.min(timing.tickMs, hurryMs * 1.5);
      if (!stopping.signal.aborted) await rounds.goRound();
    }
  }

  let listener: ChannelListener | undefined;
  let following: Promise<void> | undefined;
  let stopListening: (() => void) | undefined;
  return {
    async start() {
      stopListening = runtime.onExit((exit) => keepers.get(exit.environmentId)?.noteExit(exit));
      await runtime.open();
      await adopt();
      await rounds.readLoads();
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
      const withinMs = RENEW_STARTS * deps.config.instances.startWithinMs;
      await untilRenewed(keeperOf(environmentId), { withinMs, signal });
    },
    async clear(environmentId, given) {
      const signal = AbortSignal.any([given, stopping.signal]);
      await untilAborted(opened.promise, signal);
      await untilCleared(keeperOf(environmentId), signal);
    },
  };
}
