import { createWakeSignal } from '../../../jobs/wake-signal.ts';
import { createSemaphore } from '../../../lib/semaphore.ts';
import { readPair, type Pair } from '../standby/read-pair.ts';
import { act, isLong } from './act.ts';
import { createAddressKeeper, readPairs } from './address-keeper.ts';
import { conditionOf } from './condition.ts';
import { decide, type Action } from './decide.ts';
import { keeperTiming, type DatabaseKeeperDeps, type KeeperWorld } from './keeper-deps.ts';
import { writeCondition } from './keeper-store.ts';
import { createLimitKeeper } from './limit-keeper.ts';
import { createMinuteRecorder } from './record-minutes.ts';
import { createStrayTeller } from './tell-strays.ts';
import { forgetOldFailures, memoryOf, newWard, nextTryMs, noteDown, renew, situationOf, type Ward } from './ward.ts';
import { watchAccess } from './watch-access.ts';
import { watchAnswers } from './watch-answers.ts';
import { watchStep } from './watch-step.ts';
import { measureSpace, watchStorage } from './watch-storage.ts';

/**
 * Keeps every database's servers as the rows say: started, in pairs, with room, reachable at one address. It goes by
 * what is, not by what happened, so that it may be killed at any moment; the end of a server only makes it look
 * sooner.
 */
export interface DatabaseKeeper {
  /** Takes over what runs, and begins. */
  start(): Promise<void>;
  /** Servers run on. */
  stop(): Promise<void>;
}

/** So many unanswered questions are worth telling. */
const SILENT_AFTER = 2;
/** Copies of whole databases at a time. */
const COPIES = 2;

export function createDatabaseKeeper(deps: DatabaseKeeperDeps): DatabaseKeeper {
  const ended = new AbortController();
  const world: KeeperWorld = { ...deps, timing: { ...keeperTiming, ...deps.timing }, stopping: ended.signal };
  const { store, engines, locks, log, timing } = world;
  const wards = new Map<string, Ward>();
  const addresses = createAddressKeeper(world);
  const limits = createLimitKeeper(world);
  const recordMinutes = createMinuteRecorder(world);
  const tellStrays = createStrayTeller(world);
  const copies = createSemaphore(COPIES);
  const alarm = createWakeSignal();
  const common = new Map<string, Promise<void>>();
  const commonDue = new Map<string, number>();

  /** In the background, of each name one at a time. What fails is told, and comes again with the next look. */
  function begin(tasks: Map<string, Promise<void>>, name: string, work: () => Promise<void>): void {
    if (ended.signal.aborted || tasks.has(name)) return;
    const task = work()
      .catch((error: unknown) => {
        if (!ended.signal.aborted)
          log.warn({ err: error, task: name }, 'keeping databases: something failed; it is tried again');
      })
      .finally(() => tasks.delete(name));
    tasks.set(name, task);
  }

  async function look(): Promise<void> {
    const readAtMs = performance.now();
    const pairs = await readPairs(store.db);
    const seen = new Set(pairs.map(({ database }) => database.id));
    for (const [id, { tasks }] of wards) if (!seen.has(id) && tasks.size === 0) wards.delete(id);
    for (const pair of pairs) attend(pair, readAtMs);
    begin(common, 'minutes', () => recordMinutes(wards.values()));
    if (!addresses.isHeld(pairs) || isCommonDue('addresses', timing.addressesMs))
      begin(common, 'addresses', () => addresses.hold());
    if (!limits.isHeld(pairs) || isCommonDue('limits', timing.addressesMs))
      begin(common, 'limits', () => limits.hold(pairs));
    if (isCommonDue('strays', timing.straysMs)) begin(common, 'strays', tellStrays);
  }

  function isCommonDue(what: string, everyMs: number): boolean {
    const nowMs = performance.now();
    if (nowMs < (commonDue.get(what) ?? 0)) return false;
    commonDue.set(what, nowMs + everyMs);
    return true;
  }

  function attend(pair: Pair, readAtMs: number): void {
    const { id, status, next_password } = pair.database;
    const ward = wards.get(id) ?? newWard(pair);
    wards.set(id, ward);
    // Whoever works on it may have read it since.
    if (readAtMs > ward.readAtMs) renew(ward, pair);
    const isDisturbed = status === 'updating' || status === 'deleting' || next_password !== null;
    if (isDisturbed) ward.making?.abort();
    forgetOldFailures(world, ward);
    begin(ward.tasks, 'tend', () => tend(ward));
    begin(ward.tasks, 'step', () => watchStep(world, ward));
    begin(ward.tasks, 'storage', () => watchStorage(world, ward));
    begin(ward.tasks, 'answers', () => watchAnswers(world, ward));
    begin(ward.tasks, 'access', () => watchAccess(world, ward));
    begin(ward.tasks, 'condition', () => tellCondition(ward));
  }

  /** One thing after another, until there is nothing to do, or somebody else works on it. */
  async function tend(ward: Ward): Promise<void> {
    for (;;) {
      ward.mustDecide = false;
      if (!engines[ward.pair.database.database_type].isRunning(ward.pair.primary.id)) {
        await measureSpace(world, ward).catch(() => undefined);
      }
      const action = decide(situationOf(world, ward));
      if (locks.isHeld(ward.id) || ended.signal.aborted) return;
      if (isLong(action)) begin(ward.tasks, 'pairing', () => copies.run(() => doLong(ward, action)));
      const isDone =
        action === 'nothing' || isLong(action) || !(await doNext(ward, (next) => !isLong(next), ended.signal));
      begin(ward.tasks, 'condition', () => tellCondition(ward));
      if (isDone && !ward.mustDecide) break;
    }
    const waitMs = (nextTryMs(ward) ?? Infinity) - performance.now();
    if (waitMs < timing.lookMs) setTimeout(() => alarm.wake(), waitMs).unref();
  }

  async function doLong(ward: Ward, wanted: Action): Promise<void> {
    if (ended.signal.aborted || locks.isHeld(ward.id)) return;
    ward.making = new AbortController();
    const signal = AbortSignal.any([ward.making.signal, ended.signal]);
    try {
      await doNext(ward, (next) => next === wanted, signal);
    } finally {
      ward.making = null;
      alarm.wake();
    }
  }

  /** Alone with the database, by rows that are true now: what was to be done may be done already. */
  function doNext(ward: Ward, isMine: (action: Action) => boolean, signal: AbortSignal): Promise<boolean> {
    return locks.hold(ward.id, async () => {
      const before = await readPair(store.db, ward.id);
      if (!before || ended.signal.aborted) return false;
      renew(ward, before);
      const action = decide(situationOf(world, ward));
      if (action === 'nothing' || !isMine(action)) return false;
      ward.isActing = true;
      try {
        await act(world, ward, action, { addresses, signal });
      } finally {
        ward.isActing = false;
      }
      renew(ward, (await readPair(store.db, ward.id)) ?? ward.pair);
      return true;
    });
  }

  async function tellCondition(ward: Ward): Promise<void> {
    // A job that works on it says how it is.
    if (locks.isHeld(ward.id) && !ward.isActing) return;
    const { database, primary } = ward.pair;
    const { words } = memoryOf(ward, primary.id).tries;
    const isSilent = ward.missedAnswers >= SILENT_AFTER;
    const condition = conditionOf(database, { situation: situationOf(world, ward), words, isSilent });
    if (!condition) return;
    await writeCondition(store.db, ward.id, condition);
    renew(ward, { ...ward.pair, database: { ...ward.pair.database, ...condition } });
  }

  function onExit(serverId: string): void {
    const ward = [...wards.values()].find(({ pair }) => pair.primary.id === serverId || pair.standby?.id === serverId);
    if (!ward) return alarm.wake();
    log.error({ database: ward.id, server: serverId }, 'a server of a database has ended');
    // One that ends while it is being started is told of by whoever starts it.
    if (ward.startingId !== serverId) noteDown(world, ward, serverId, null);
    ward.mustDecide = true;
    ward.making?.abort();
    begin(ward.tasks, 'tend', () => tend(ward));
    begin(ward.tasks, 'step', () => watchStep(world, ward));
    // Whatever was going on already is looked at again at once.
    alarm.wake();
  }

  async function follow(): Promise<void> {
    while (!ended.signal.aborted) {
      await look().catch((error: unknown) => {
        if (!ended.signal.aborted)
          log.warn({ err: error }, 'databases could not be looked at; they are looked at again soon');
      });
      // Not in step with others who look as often: each would need a connection of its own to the store.
      if (!ended.signal.aborted) await alarm.wait(timing.lookMs * (0.9 + 0.2 * Math.random()));
    }
  }

  const listening: (() => void)[] = [];
  let following: Promise<void> | undefined;
  return {
    async start() {
      for (const engine of Object.values(engines)) {
        listening.push(engine.onExit(onExit));
        await engine.open();
      }
      // Whoever connects right after a restart of the machine is led to the right server, or to none.
      await addresses
        .hold()
        .catch((error: unknown) => log.warn({ err: error }, 'addresses of databases are not held yet'));
      following = follow();
    },
    async stop() {
      ended.abort();
      alarm.wake();
      for (const stopListening of listening.splice(0)) stopListening();
      await following;
      await Promise.all([...common.values(), ...[...wards.values()].flatMap(({ tasks }) => [...tasks.values()])]);
      for (const engine of Object.values(engines)) await engine.close();
    },
  };
}
