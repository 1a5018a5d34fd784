import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { DEMAND_CHANNEL, DRAINED_CHANNEL, type Demand, type EdgeLoad } from '../../routing/edge-load.ts';
import { forgetEdge, readRoutesAfter, reportEdge, type EdgeAddress } from '../../routing/route-store.ts';
import type { Gates } from '../instances/gates.ts';
import { createSnapshotWriter } from '../snapshot/snapshot-writer.ts';
import type { SiteLibrary } from '../static/site-library.ts';
import { addressTiming, watchAddresses, withoutInstances, type AddressWatch } from './address-watch.ts';
import { Alarm } from './alarm.ts';
import { RouteApplier } from './apply-routes.ts';
import { EdgeCount } from './edge-count.ts';
import { listenForRoutes, type Follower, type RouteListener } from './route-listener.ts';
import { readSnapshot, writeSnapshot } from './route-snapshot.ts';
import type { RouteTable } from './route-table.ts';

export interface RouteFeedOptions {
  store: Store;
  table: RouteTable;
  sites: SiteLibrary;
  /** What they have to do is reported, and what they ask for is told. Left out: this edge has no instances. */
  gates?: Pick<Gates, 'load' | 'tell' | 'tight' | 'shareAmong'>;
  /** The name of this edge process, among all. */
  name: string;
  /** Where it is reached from other hosts. Left out: it is not. */
  address?: EdgeAddress | undefined;
  snapshotPath: string;
  /** Others who hear of changes by the same connection. */
  followers?: readonly Follower[];
  log: Log;
}

export interface RouteFeed {
  /** Resolves when the table is as the store has it, or, when the store is away, soon. */
  start(): Promise<void>;
  /** This edge need not be waited for any more. */
  stop(): Promise<void>;
}

/** The safety net for a notification that was missed, and how often an edge says that it lives. */
const POLL_MS = 2000;
/** How often an edge says what it has to do, while that is anything. */
const REPORT_MS = 1000;
/** What was reported within this time, unchanged, is not reported again. */
const FRESH_MS = 900;
/** While the store is away, or a release cannot be read. */
const RETRY_MS = 200;
/** While the store is away for longer than a restart takes: each try holds up the requests of that moment. */
const LONG_RETRY_MS = 1000;
/** An edge starts without the store, but a store that is there is worth a moment. */
const PATIENCE_MS = 1500;
const LAST_WORDS_MS = 1000;
/** A store that starts beside us, or restarts, is back before. */
const LONG_AWAY_MS = 5000;
const UNDEFINED_TABLE = '42P01';

/** Keeps the table as the store has it, and tells the store how far it is. Without the store, it stays as it was. */
export function createRouteFeed(options: RouteFeedOptions): RouteFeed {
  const { store, table, sites, gates, name, address, snapshotPath, followers = [], log } = options;
  const applier = new RouteApplier({ table, sites, log });
  const snapshot = createSnapshotWriter({
    path: snapshotPath,
    write: () => writeSnapshot(snapshotPath, { version: applier.readVersion, routes: [...table.routes()] }),
    log,
  });
  const alarm = new Alarm();
  const firstRead = Promise.withResolvers<void>();
  let mustReadAll = true;
  const stopping = new AbortController();
  let awaySince: number | null = null;
  let isLongAway = false;
  let reported = { version: -1, at: 0 };
  const count = new EdgeCount();
  /** Instances whose last request is over, until that is told. */
  let drained: string[] = [];
  let listener: RouteListener | undefined;
  /** An edge at rest has one connection. What takes long has another, so that no request to wake waits behind it. */
  let shared = store.db;
  let watch: AddressWatch | undefined;
  gates?.tell({
    demand: (demand) => listener?.signal(DEMAND_CHANNEL, JSON.stringify({ ...demand, edge: name } satisfies Demand)),
    drained: (instanceId) => {
      drained.push(instanceId);
      alarm.ring();
    },
  });

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isWell = await round().then(
        () => noteStore(false),
        (error: unknown) => noteStore(true, error),
      );
      await pause(isWell);
    }
  }

  /** An edge with nothing to do looks at the store half as often. */
  async function pause(isWell: boolean): Promise<void> {
    const isAtEase = isWell && !applier.hasHeldChanges;
    const retryMs = isLongAway ? LONG_RETRY_MS : RETRY_MS;
    const hasRung = await alarm.wait(isAtEase ? REPORT_MS : retryMs);
    if (isAtEase && !hasRung && isIdle(gates?.load())) await alarm.wait(POLL_MS - REPORT_MS);
  }

  async function round(): Promise<void> {
    const isWhole = mustReadAll;
    mustReadAll = false;
    try {
      const before = applier.readVersion;
      const routes = isWhole ? await readRoutesAfter(store.db, 0) : await readRoutesAfter(shared, before);
      await (isWhole ? applier.applyAll(routes) : applier.apply(routes));
      if (applier.hasHeldChanges) await applier.retryHeld();
      if (isWhole || routes.length > 0) snapshot.note();
    } catch (error) {
      // It may be another store when it is back: one that was restored.
      mustReadAll = true;
      throw error;
    }
    await report();
    watch?.noteHeard();
    snapshot.confirm();
    firstRead.resolve();
  }

  async function report(): Promise<void> {
    const version = applier.servedVersion;
    const isFresh = version === reported.version && performance.now() - reported.at < FRESH_MS;
    if (isFresh && drained.length === 0) return;
    const told = drained;
    drained = [];
    const asking = { name, address, tight: gates?.tight(), knownEdges: count.known() };
    const peers = await reportEdge(shared, asking, version, gates?.load());
    count.note(peers.edges);
    gates?.shareAmong(peers);
    reported = { version, at: performance.now() };
    // Whoever hears it finds it in the report.
    for (const instanceId of told) listener?.signal(DRAINED_CHANNEL, instanceId);
  }

  function noteStore(isAway: boolean, error?: unknown): boolean {
    // A new installation's store has no tables until the api or the worker has made them.
    const isBlank = (error as { code?: string } | undefined)?.code === UNDEFINED_TABLE;
    awaySince = isAway && !isBlank ? (awaySince ?? performance.now()) : null;
    const isLong = awaySince !== null && performance.now() - awaySince > LONG_AWAY_MS;
    if (isLong && !isLongAway && !stopping.signal.aborted) {
      log.warn({ reason: (error as Error).message }, 'The store is away; the edge goes on without it');
    }
    if (!isAway && isLongAway) log.info('The store is back');
    isLongAway = isLong;
    return !isAway;
  }

  /** Without the store it is all there is; what instances it has may be others' by now where it is old. */
  async function startFromSnapshot(): Promise<void> {
    const last = await readSnapshot(snapshotPath);
    if (!last) return;
    const isFresh = Date.now() - last.knownAt.getTime() < addressTiming.knownForMs;
    applier.start(isFresh ? last.routes : last.routes.map((route) => withoutInstances(route)), last.version);
  }

  const onLook = (hasChanged: boolean): void => (hasChanged ? snapshot.note() : snapshot.confirm());

  let following: Promise<void> | undefined;
  return {
    start: async () => {
      await startFromSnapshot();
      watch = watchAddresses({ table, log, onLook });
      listener = listenForRoutes({
        store,
        followers,
        onWake: () => alarm.ring(),
        onConnect: (isFirst) => {
          mustReadAll ||= !isFirst;
          alarm.ring();
        },
        use: (db) => (shared = db ?? store.db),
      });
      following = follow();
      await Promise.race([firstRead.promise, delay(PATIENCE_MS, undefined, { ref: false })]);
    },
    stop: async () => {
      stopping.abort();
      watch?.stop();
      alarm.ring();
      const lastWords = Promise.allSettled([listener?.close(), following?.then(() => forgetEdge(store.db, name))]);
      await Promise.race([lastWords, delay(LAST_WORDS_MS, undefined, { ref: false })]);
      await snapshot.close();
    },
  };
}

function isIdle({ environments, instances }: EdgeLoad = { environments: {}, instances: {}, silent: {} }): boolean {
  return Object.keys(environments).length === 0 && Object.keys(instances).length === 0;
}
