import { setTimeout as delay } from 'node:timers/promises';
import { systemClock, type Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { leadNames, type Leadership, type LeadName } from './leadership.ts';
import { beginTerm, endTerm, holdTerm, lockLeadership, readLeaderships, unlockLeadership } from './leadership-store.ts';
import { mayLead, type LeadershipRow, type Reach } from './may-lead.ts';
import type { WorkerSession } from './worker-session.ts';

export interface LeadershipsOptions {
  /** The worker's name. */
  worker: string;
  host: string;
  log: Log;
  clock?: Clock;
  reach: Readonly<Record<LeadName, Reach>>;
  /** Whether this host can do what it leads, or would lead. Left out: always. */
  fitness?(name: LeadName): Fitness;
  /** How long an answer of the store makes it sure. */
  sureMs?: number;
  /** From now on this worker leads it. */
  onGain(name: LeadName): void;
  /** It leads no more what it led: everything it does for it must end at once. */
  onLoss(name: LeadName): void;
}

/**
 * `unsure`: it goes on if it leads, and does not begin. `unfit`: it makes way for another host, if another can lead.
 */
export type Fitness = 'fit' | 'unsure' | 'unfit';

/**
 * Which leaderships this worker has. They are bound to its session, by which it takes jobs too: whoever sees the
 * session end may lead. What is written in a term is held back by its number (`hold`), whatever the leader believes.
 */
export interface Leaderships {
  of(name: LeadName): Leadership;
  /** On a new session, before it is used: goes on leading what it led, and looks. */
  enter(session: WorkerSession): Promise<LeadName[]>;
  /** Again and again: leads what nobody leads, and finds out where another does. Returns what it leads since now. */
  look(session: WorkerSession): Promise<LeadName[]>;
  /** There is no session any more. */
  leave(): void;
  /** This worker ends by itself. */
  giveUp(session: WorkerSession): Promise<void>;
}

const RETRY_MS = 20;
/** About every ten seconds; a store that is asked directly needs milliseconds, and six seconds for a lost machine. */
const LOOKS_UNTIL_TOLD = 500;
const PREDECESSOR_STAYS =
  'the store still holds the session of the worker that led under this name before; waiting for it to end. ' +
  'A proxy in front of the store that keeps sessions of clients that are gone has to be taken away';
/**
 * So long after the store was last asked, and answered, a leader is sure. It is less than the store takes to give up
 * a session that says nothing (`db/store-client.ts`): who is cut off, or stood still, has stopped before another begins.
 */
const SURE_MS = 4000;

interface Part {
  readonly name: LeadName;
  readonly reach: Reach;
  /** Null where it does not lead. */
  term: string | null;
  /** Settled while it is certain that it leads. */
  certain: PromiseWithResolvers<void>;
  isCertain: boolean;
  /** Until then, by either clock. */
  sureUntil: Moment;
  /** Since when nobody has led, by the monotonic clock; null: somebody does, as far as is known. */
  freeSince: number | null;
}

/** What the store answered, and when it was asked. */
interface Found {
  row: LeadershipRow | null;
  askedAt: Moment;
}

/**
 * By the clock that nobody sets, and by the one that people have: only this one goes on while the machine is suspended,
 * and where it jumps, that makes unsure a little early.
 */
interface Moment {
  monotonic: number;
  wall: number;
}

export function createLeaderships(options: LeadershipsOptions): Leaderships {
  const { worker, host, log, clock = systemClock, reach, sureMs = SURE_MS } = options;
  const now = (): Moment => ({ monotonic: performance.now(), wall: clock.now().getTime() });
  const sureFrom = ({ monotonic, wall }: Moment): Moment => ({ monotonic: monotonic + sureMs, wall: wall + sureMs });
  const fitness = (name: LeadName): Fitness => options.fitness?.(name) ?? 'fit';
  const parts = new Map(leadNames.map((name): [LeadName, Part] => [name, newPart(name, reach[name])]));

  async function resume(session: WorkerSession, part: Part): Promise<void> {
    // Its former session is over, but perhaps not all of it: the store lets go of one lock after another.
    for (;;) {
      const isLocked = await lockLeadership(session, part.name);
      const askedAt = now();
      const row = (await readLeaderships(session, [])).get(part.name);
      if (row?.term !== part.term) return lose(part, row);
      if (isLocked) return confirm(part, sureFrom(askedAt));
      await delay(RETRY_MS);
    }
  }

  async function tryToLead(session: WorkerSession, part: Part, row: LeadershipRow | null): Promise<boolean> {
    if (!(await lockLeadership(session, part.name))) return false;
    const askedAt = now();
    let term: string | null = null;
    try {
      term = await beginTerm(session, { name: part.name, worker, host, after: row?.term ?? null });
    } finally {
      // Also where the store refused: whoever holds the lock and does not lead keeps all others from it.
      if (term === null) await unlockLeadership(session, part.name);
    }
    if (term === null) return false;
    [part.term, part.freeSince] = [term, null];
    confirm(part, sureFrom(askedAt));
    log.info({ lead: part.name, term }, 'this worker leads');
    options.onGain(part.name);
    return true;
  }

  function lose(part: Part, row: LeadershipRow | undefined): void {
    log.warn({ lead: part.name, leader: row?.worker }, 'another worker leads what this one led');
    part.term = null;
    suspend(part);
    options.onLoss(part.name);
  }

  /** By itself, so that nobody need wait whether it comes back. */
  async function resign(session: WorkerSession, part: Part): Promise<void> {
    log.warn({ lead: part.name }, 'this worker cannot do what it leads, and lets another host lead it');
    await endTerm(session, part.name, part.term!);
    await unlockLeadership(session, part.name);
    part.term = null;
    suspend(part);
    options.onLoss(part.name);
  }

  async function lookAt(session: WorkerSession, part: Part, { row, askedAt }: Found): Promise<boolean> {
    if (part.term !== null) {
      if (row?.term !== part.term) lose(part, row ?? undefined);
      else if (part.reach === 'free' && fitness(part.name) === 'unfit') await resign(session, part);
      else confirm(part, sureFrom(askedAt));
      return false;
    }
    if (row?.isHeld) part.freeSince = null;
    else part.freeSince ??= performance.now();
    const freeForMs = part.freeSince === null ? 0 : performance.now() - part.freeSince;
    if (fitness(part.name) !== 'fit' || !mayLead(row, { worker, host, reach: part.reach, freeForMs })) return false;
    return tryToLead(session, part, row);
  }

  /** Nobody else works under this name, so what is held under it is just being given up by the store. */
  async function outwaitPredecessor(session: WorkerSession): Promise<void> {
    for (let looks = 1; ; looks++) {
      const rows = await readLeaderships(session, []);
      const isLeft = (part: Part) => part.term === null && rows.get(part.name)?.worker === worker;
      if (![...parts.values()].some((part) => isLeft(part) && rows.get(part.name)!.isHeld)) return;
      if (looks % LOOKS_UNTIL_TOLD === 0) log.warn(PREDECESSOR_STAYS);
      await delay(RETRY_MS);
    }
  }

  async function look(session: WorkerSession): Promise<LeadName[]> {
    const led = [...parts.values()].filter(({ term }) => term !== null).map(({ name }) => name);
    const askedAt = now();
    const rows = await readLeaderships(session, led);
    const gained: LeadName[] = [];
    for (const part of parts.values()) {
      if (await lookAt(session, part, { row: rows.get(part.name) ?? null, askedAt })) gained.push(part.name);
    }
    return gained;
  }

  return {
    of: (name) => leadershipOf(parts.get(name)!, now),
    async enter(session) {
      for (const part of parts.values()) {
        part.freeSince = null;
        if (part.term !== null) await resume(session, part);
      }
      await outwaitPredecessor(session);
      return look(session);
    },
    look,
    leave: () => parts.forEach(suspend),
    async giveUp(session) {
      for (const part of parts.values()) {
        if (part.term !== null) await endTerm(session, part.name, part.term);
      }
    },
  };
}

function leadershipOf(part: Part, now: () => Moment): Leadership {
  return {
    isHeld: () => isSure(part, now()),
    certain() {
      // Where nobody else can lead, instances need not wait for a store that is away.
      if (part.reach !== 'free' && part.term !== null) return Promise.resolve();
      if (!isSure(part, now())) suspend(part);
      return part.certain.promise;
    },
    hold: (tx) => holdTerm(tx, part.name, part.term),
  };
}

function newPart(name: LeadName, reach: Reach): Part {
  const unknown = { certain: Promise.withResolvers<void>(), isCertain: false, sureUntil: { monotonic: 0, wall: 0 } };
  return { name, reach, term: null, ...unknown, freeSince: null };
}

const isSure = ({ isCertain, sureUntil }: Part, now: Moment): boolean =>
  isCertain && now.monotonic < sureUntil.monotonic && now.wall < sureUntil.wall;

function confirm(part: Part, sureUntil: Moment): void {
  part.isCertain = true;
  part.sureUntil = sureUntil;
  part.certain.resolve();
}

function suspend(part: Part): void {
  if (!part.isCertain) return;
  part.isCertain = false;
  part.certain = Promise.withResolvers();
}
