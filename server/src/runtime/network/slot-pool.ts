import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { StartRefused } from '../runtime.ts';
import { SLOT_COUNT } from './address-range.ts';
import { NetworkFailure, type HostTools } from './host-tools.ts';
import { hasNamespace, listSlots, makeSlot, removeSlot, type NetworkSite } from './slot-network.ts';
import type { SlotRecord, SlotRecords } from './slot-records.ts';
import { createSlotRest, type SlotRest, type SlotRestLimits } from './slot-rest.ts';

export interface SlotPool {
  /** A whole slot for the instance; the one it has, if it has one. */
  take(instanceId: string, organisationId?: string): Promise<number>;
  giveBack(slot: number): void;
  /** Removes what is neither held nor in good order. */
  sweep(held: ReadonlySet<number>): Promise<void>;
  /** Resolves when nothing more is done in the background. */
  settled(): Promise<void>;
}

export interface SlotPoolLimits extends SlotRestLimits {
  /** Made beforehand: a wake must not wait for one. */
  readyCount: number;
  /** Making one takes several programs: whoever was just given a place starts meanwhile, and is waited for. */
  refillAfterMs: number;
}

export interface SlotPoolDeps extends SlotPoolLimits {
  tools: HostTools;
  site: NetworkSite;
  records: SlotRecords;
  log: Log;
  clock: Clock;
}

export function createSlotPool(deps: SlotPoolDeps): SlotPool {
  const { records, log } = deps;
  const lastNumber = Math.max(0, ...records.known().keys());
  const state: PoolState = { ready: [], rest: createSlotRest(deps), lastNumber };
  const inTurn = createTurns();
  let isRefillDue = false;
  let later: NodeJS.Timeout | undefined;

  const refill = (): void => {
    clearTimeout(later);
    later = undefined;
    if (isRefillDue) return;
    isRefillDue = true;
    inTurn(() => {
      // From here on a further wish is one for later: this turn may not see what it is about.
      isRefillDue = false;
      return fillUp(deps, state);
    }).catch((error: unknown) => log.warn({ error }, 'no network could be made beforehand'));
  };
  /** Where many start at once, the next must not wait for one either. */
  const refillInTime = (): void => {
    if (state.ready.length < deps.readyCount / 2) refill();
    else later ??= setTimeout(refill, deps.refillAfterMs).unref();
  };
  return {
    async take(instanceId, organisationId) {
      const known = records.slotOf(instanceId);
      if (known !== null) return inTurn(() => finish(deps, known));
      const slot = takeReady(deps, state);
      if (slot !== null) records.assign(slot, { use: 'leased', instanceId, organisationId });
      const taken = slot ?? (await inTurn(() => makeNew(deps, state, { instanceId, organisationId })));
      refillInTime();
      return taken;
    },
    giveBack(slot) {
      // Given back before: it may be somebody else's by now only if it was leased again.
      if (records.get(slot)?.use !== 'leased') return;
      putToRest(deps, state, slot, { since: deps.clock.now().getTime(), isBare: false });
      refill();
    },
    sweep: (held) => inTurn(() => sweepSlots(deps, state, held)).then(refill),
    settled() {
      if (later) refill();
      return inTurn(async () => undefined);
    },
  };
}

interface PoolState {
  ready: number[];
  rest: SlotRest;
  /** Numbers are given in turn, also after a restart, so that an address comes back as late as can be. */
  lastNumber: number;
}

function takeReady(deps: SlotPoolDeps, state: PoolState): number | null {
  for (let slot = nextReady(state); slot !== undefined; slot = nextReady(state)) {
    if (hasNamespace(deps.site.id, slot)) return slot;
  }
  return null;
}

const nextReady = ({ ready, rest }: PoolState): number | undefined => ready.shift() ?? rest.takeRested();

/** Written down: it rests on when the platform is killed meanwhile. */
function putToRest(
  { records }: SlotPoolDeps,
  { rest }: PoolState,
  slot: number,
  terms: { since: number; isBare: boolean },
): void {
  records.assign(slot, { use: 'resting', instanceId: null, since: terms.since });
  rest.add(slot, terms);
}

async function fillUp(deps: SlotPoolDeps, state: PoolState): Promise<void> {
  while (state.ready.length < deps.readyCount) {
    state.ready.push(state.rest.takeRested() ?? (await makeNew(deps, state, null)));
  }
  for (let slot = state.rest.strip(); slot !== undefined; slot = state.rest.strip()) {
    await removeSlot(deps.tools, deps.site.id, slot);
  }
  for (const slot of state.rest.takeOver()) deps.records.forget(slot);
}

/** Whom a place is made for; null: for whoever comes next. */
type Tenant = { instanceId: string; organisationId: string | undefined } | null;

async function makeNew(deps: SlotPoolDeps, state: PoolState, tenant: Tenant): Promise<number> {
  const slot = claimNumber(deps, state, tenant);
  try {
    await makeAfresh(deps, slot);
    if (!deps.records.isKept(slot)) throw new NetworkFailure('the networks of this installation have been removed');
    return slot;
  } catch (error) {
    await discard(deps, slot).catch((problem: unknown) => deps.log.warn({ problem, slot }, 'half a network is left'));
    throw error;
  }
}

function claimNumber({ records, site }: SlotPoolDeps, state: PoolState, tenant: Tenant): number {
  for (const slot of state.rest.takeOver()) records.forget(slot);
  const use = tenant ? { use: 'leased' as const, ...tenant } : { use: 'ready' as const, instanceId: null };
  for (let step = 1; step <= SLOT_COUNT; step += 1) {
    const slot = ((state.lastNumber + step - 1) % SLOT_COUNT) + 1;
    if (records.get(slot) || !records.claim(slot, use)) continue;
    state.lastNumber = slot;
    return slot;
  }
  throw new StartRefused(
    `All ${SLOT_COUNT} networks of this machine (${site.range.start}.0) are in use, or were until a moment ago.`,
  );
}

/** What a kill has left of an earlier attempt may be in the way. */
async function makeAfresh({ tools, site }: SlotPoolDeps, slot: number): Promise<void> {
  try {
    await makeSlot(tools, site, slot);
  } catch (error) {
    if (!(error instanceof NetworkFailure)) throw error;
    await removeSlot(tools, site.id, slot);
    await makeSlot(tools, site, slot);
  }
}

async function finish(deps: SlotPoolDeps, slot: number): Promise<number> {
  const found = (await listSlots(deps.tools, deps.site.id)).get(slot);
  if (!found?.isWhole) await makeAfresh(deps, slot);
  return slot;
}

async function discard({ tools, site, records }: SlotPoolDeps, slot: number): Promise<void> {
  await removeSlot(tools, site.id, slot);
  records.forget(slot);
}

async function sweepSlots(deps: SlotPoolDeps, state: PoolState, held: ReadonlySet<number>): Promise<void> {
  const { tools, site, records, log, clock } = deps;
  const there = await listSlots(tools, site.id);
  const isWhole = (slot: number): boolean => there.get(slot)?.isWhole === true;
  state.ready = state.ready.filter(isWhole);
  state.rest.keepWhole(isWhole);
  const inPool = new Set([...state.ready, ...state.rest.slots()]);
  const recorded = records.list();
  const canAdopt = (record?: SlotRecord) => record?.use === 'ready' && state.ready.length < deps.readyCount;
  /** A clock that was put back meanwhile keeps it no longer than one that was not. */
  const restOn = (slot: number, isBare: boolean, since = Infinity) =>
    putToRest(deps, state, slot, { since: Math.min(since, clock.now().getTime()), isBare });
  for (const slot of new Set([...there.keys(), ...recorded.keys(), ...held])) {
    const record = recorded.get(slot);
    if (held.has(slot)) records.claim(slot, { use: 'leased', instanceId: null });
    else if (inPool.has(slot) || records.isOfAnother(record)) continue;
    else if (canAdopt(record) && isWhole(slot)) adopt(deps, state, slot);
    else if (isWhole(slot) && record?.since !== undefined) restOn(slot, false, record.since);
    else {
      log.info({ slot, instanceId: record?.instanceId }, 'removing a network that no instance has');
      await removeSlot(tools, site.id, slot);
      // Who had it may have been served until now. One that nobody ever had need not rest.
      if (!record || record.use === 'ready') records.forget(slot);
      else restOn(slot, true, record.since);
    }
  }
}

function adopt({ records }: SlotPoolDeps, state: PoolState, slot: number): void {
  records.assign(slot, { use: 'ready', instanceId: null });
  state.ready.push(slot);
}

/** One after another: the kernel's answers would otherwise be about things that are just being made. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
