import type { ServerPlace, ServerSpace } from '../../../engines/host/server-host.ts';
import type { Pair } from '../standby/read-pair.ts';
import type { Situation } from './decide.ts';
import type { KeeperWorld } from './keeper-deps.ts';
import { isAtWall } from './storage.ts';
import { NO_TRIES, noteFailure, type TryRecord } from './try-record.ts';

/** What the keeper remembers of one database besides its rows. Nothing of it is needed by the next keeper. */
export interface Ward {
  readonly id: string;
  /** As the rows were when they were last read, and when that was. */
  pair: Pair;
  readAtMs: number;
  readonly servers: Map<string, ServerMemory>;
  /** How attempts went to make a standby and bring it into step. */
  pairing: TryRecord;
  outOfStepSinceMs: number | null;
  /** How many questions the primary has left unanswered. */
  missedAnswers: number;
  space: ServerSpace | null;
  /** The place of the primary. */
  place: ServerPlace | null;
  /** The server that was told to refuse writes; null: none was. */
  brakedId: string | null;
  /** Whether the primary takes writes is not as it should be. */
  mustTellWritable: boolean;
  /** Which server lets in whom, as far as this keeper has seen to it; null: it has not yet. */
  admitted: string | null;
  /** The last measurement of processor time. */
  cpu: { serverId: string; seconds: number; atMs: number } | null;
  /** Ends the making of a standby that has lost its point. */
  making: AbortController | null;
  /** The keeper itself holds the database, and not a job. */
  isActing: boolean;
  /** The server that is being started: its process may be there long before it takes connections. */
  startingId: string | null;
  /** Something has happened since it was last decided what to do. */
  mustDecide: boolean;
  /** When each of the regular questions is due. */
  readonly due: Map<string, number>;
  /** What is going on, by name; of each one at a time. */
  readonly tasks: Map<string, Promise<void>>;
}

interface ServerMemory {
  tries: TryRecord;
  /** Null: it was there before this keeper, or is not up. */
  startedAtMs: number | null;
  /** Its customer was told that it was started again: not each time, where it ends again and again. */
  isRestartTold: boolean;
}

export function newWard(pair: Pair): Ward {
  return {
    id: pair.database.id,
    pair,
    readAtMs: performance.now(),
    servers: new Map(),
    pairing: NO_TRIES,
    outOfStepSinceMs: null,
    missedAnswers: 0,
    space: null,
    place: null,
    brakedId: null,
    mustTellWritable: false,
    admitted: null,
    cpu: null,
    making: null,
    isActing: false,
    startingId: null,
    mustDecide: false,
    due: new Map(),
    tasks: new Map(),
  };
}

export function renew(ward: Ward, pair: Pair): void {
  ward.pair = pair;
  ward.readAtMs = performance.now();
}

export function memoryOf(ward: Ward, serverId: string): ServerMemory {
  const known = ward.servers.get(serverId);
  if (known) return known;
  const fresh = { tries: NO_TRIES, startedAtMs: null, isRestartTold: false };
  ward.servers.set(serverId, fresh);
  return fresh;
}

/** The server has ended by itself, hung, or did not start. */
export function noteDown(world: KeeperWorld, ward: Ward, serverId: string, words: string | null): void {
  const memory = memoryOf(ward, serverId);
  const nowMs = performance.now();
  const wasStable = memory.startedAtMs !== null && nowMs - memory.startedAtMs >= world.timing.stableMs;
  if (wasStable) trustAgain(memory);
  memory.tries = noteFailure(memory.tries, { nowMs, words, backoff: world.timing });
  memory.startedAtMs = null;
}

/** Nobody could try to start it: it is tried again soon, and nothing is held against it. */
export function noteUntried(world: KeeperWorld, ward: Ward, serverId: string, words: string): void {
  const memory = memoryOf(ward, serverId);
  memory.tries = { ...memory.tries, notBeforeMs: performance.now() + world.timing.awayMs, words };
}

export function noteUp(ward: Ward, serverId: string): void {
  const memory = memoryOf(ward, serverId);
  memory.startedAtMs = performance.now();
  memory.tries = { ...memory.tries, words: null };
  if (serverId !== ward.pair.primary.id) return;
  ward.missedAnswers = 0;
  // What it was told before its end, it need not know any more.
  ward.brakedId = null;
  ward.due.delete('release');
  // And whom it lets in, it was told by rows that may have been old.
  ward.admitted = null;
}

/** Who has stayed up is trusted again. */
export function forgetOldFailures(world: KeeperWorld, ward: Ward): void {
  const nowMs = performance.now();
  for (const memory of ward.servers.values()) {
    const { startedAtMs } = memory;
    if (startedAtMs !== null && nowMs - startedAtMs >= world.timing.stableMs) trustAgain(memory);
  }
}

function trustAgain(memory: ServerMemory): void {
  memory.tries = NO_TRIES;
  memory.isRestartTold = false;
}

/** Copying a whole database is no small matter: it is tried less often than a start. */
const PAIRING_SLOWNESS = 10;

export function notePairingFailure({ timing }: KeeperWorld, ward: Ward): void {
  const backoff = {
    firstBackoffMs: timing.firstBackoffMs * PAIRING_SLOWNESS,
    longestBackoffMs: timing.longestBackoffMs * PAIRING_SLOWNESS,
  };
  ward.pairing = noteFailure(ward.pairing, { nowMs: performance.now(), words: null, backoff });
}

export function situationOf(world: KeeperWorld, ward: Ward): Situation {
  const { database, primary, standby } = ward.pair;
  const engine = world.engines[database.database_type];
  const nowMs = performance.now();
  const viewOf = ({ id, is_made }: { id: string; is_made: boolean }) => {
    const { tries } = memoryOf(ward, id);
    const isRunning = engine.isRunning(id) && ward.startingId !== id;
    return { isMade: is_made, isRunning, failures: tries.count, mayStart: nowMs >= tries.notBeforeMs };
  };
  return {
    status: database.status,
    isHa: database.ha_enabled,
    primary: {
      ...viewOf(primary),
      isHung: ward.missedAnswers >= world.timing.hungAfter,
      isAtWall: isAtWall(ward.space),
    },
    standby: standby && { ...viewOf(standby), isInStep: standby.in_step },
    pairing: { failures: ward.pairing.count, mayTry: nowMs >= ward.pairing.notBeforeMs },
  };
}

/** When something that has to wait may be tried; null: nothing waits. */
export function nextTryMs(ward: Ward): number | null {
  const { primary, standby } = ward.pair;
  const times = [primary, standby].flatMap((server) => (server ? [memoryOf(ward, server.id).tries.notBeforeMs] : []));
  const later = [...times, ward.pairing.notBeforeMs].filter((time) => time > performance.now());
  return later.length === 0 ? null : Math.min(...later);
}

/** Whether so long has passed since it last was. */
export function isDue(ward: Ward, what: string, everyMs: number): boolean {
  const nowMs = performance.now();
  if (nowMs < (ward.due.get(what) ?? 0)) return false;
  ward.due.set(what, nowMs + everyMs);
  return true;
}
