import type { InstanceAddress } from '../../routing/route.ts';
import { UpstreamPool } from '../proxy/upstream-pool.ts';
import type { ExchangeOutcome } from './gate.ts';

/** What an instance is given: requests of everybody, those of a release's check only, or none any more. */
export type UpstreamRole = 'serving' | 'checked' | 'withdrawn';

const FIRST_RETRY_MS = 2;
/**
 * While somebody waits for it, and while nobody does: a share of the time since it was first refused, since who has
 * waited long may wait a little longer, and at most so much.
 */
const RETRY = { wanted: { share: 0.05, atMostMs: 50 }, unwanted: { share: 0.1, atMostMs: 1000 } } as const;

/** Who gives up sooner says nothing about the instance: people leave pages that are merely slow. */
const GIVEN_UP_AFTER_MS = 2000;
/** An instance that is asked and begins no answer for so long may hang. */
const QUIET_MS = 5000;

/** One instance as this edge sees it. */
export class Upstream {
  readonly id: string;
  pool: UpstreamPool;
  role: UpstreamRole = 'serving';
  inFlight = 0;
  /** Those of them to which it has not begun to answer. */
  awaited = 0;
  /** The instance could not be connected to. */
  isSilent = false;
  #silentSinceMs = 0;
  /** Requests in a row that it took and never began to answer, until nobody waited any more. */
  #unanswered = 0;
  #hasAnswered = false;
  #quietSinceMs = Infinity;
  /** Those of earlier addresses on which something is under way. */
  #former: readonly UpstreamPool[] = [];
  /** When it is tried again. */
  tryAtMs = Infinity;

  constructor(address: InstanceAddress) {
    this.id = address.id;
    this.pool = new UpstreamPool(address);
  }

  /** It is at this address, from now on. What is under way goes on where it is. */
  serveAt(address: InstanceAddress, role: UpstreamRole): void {
    const { host, port } = this.pool.address;
    if (this.role === 'withdrawn' || host !== address.host || port !== address.port) {
      this.pool.retire();
      this.#former = [...this.#former, this.pool].filter(({ counts }) => counts.open > 0);
      this.pool = new UpstreamPool(address);
      this.noteHeard();
      this.#unanswered = 0;
      this.#quietSinceMs = Infinity;
    }
    this.role = role;
  }

  withdraw(): void {
    if (this.role === 'withdrawn') return;
    this.role = 'withdrawn';
    this.pool.retire();
  }

  /** Its machine is gone: nobody waits for its answers any longer. */
  lose(): void {
    // Not now: whoever waited is given another place, by whoever has called this.
    setImmediate(() => {
      for (const pool of [this.pool, ...this.#former]) pool.lose();
    });
  }

  shutOut(): void {
    for (const pool of [this.pool, ...this.#former]) pool.shutOut();
  }

  /** Nobody is sent there before it was tried, which is done at once. */
  doubt(nowMs: number): void {
    this.noteSilent(nowMs, true);
    this.tryAtMs = nowMs;
  }

  noteSilent(nowMs: number, isWanted: boolean): void {
    if (!this.isSilent) this.#silentSinceMs = nowMs;
    this.isSilent = true;
    const { share, atMostMs } = isWanted ? RETRY.wanted : RETRY.unwanted;
    const waitMs = (nowMs - this.#silentSinceMs) * share;
    this.tryAtMs = nowMs + Math.min(Math.max(waitMs, FIRST_RETRY_MS), atMostMs);
  }

  noteHeard(): void {
    this.isSilent = false;
    this.tryAtMs = Infinity;
  }

  /** A pool that was retired meanwhile says nothing of the one that came after it. */
  noteAnswer(pool: UpstreamPool): void {
    this.awaited--;
    if (pool !== this.pool) return;
    this.#unanswered = 0;
    this.#hasAnswered = true;
  }

  /** An instance may say 504 too: one that the edge says has nothing of the instance's in it. */
  noteOutcome(pool: UpstreamPool, { status, ms, bytesOut }: ExchangeOutcome): void {
    if (pool !== this.pool || bytesOut > 0) return;
    if (status === 504 || (status === 0 && ms >= GIVEN_UP_AFTER_MS)) this.#unanswered++;
  }

  /**
   * How many requests make one doubt that it answers at all: those it left unanswered, or those that wait while
   * nobody is answered. It may be merely slow. To be asked now and then, since it compares with the last time.
   */
  doubts(nowMs: number): number {
    if (this.#hasAnswered || this.awaited === 0) this.#quietSinceMs = nowMs;
    this.#quietSinceMs = Math.min(this.#quietSinceMs, nowMs);
    this.#hasAnswered = false;
    return this.#unanswered + (nowMs - this.#quietSinceMs >= QUIET_MS ? this.awaited : 0);
  }

  /** Somebody waits for it now. */
  hurry(nowMs: number): void {
    if (this.isSilent && this.tryAtMs < Infinity) this.tryAtMs = Math.min(this.tryAtMs, nowMs + RETRY.wanted.atMostMs);
  }
}

/** The one with the fewest requests among those with room; any of several that have equally few. */
export function leastLoaded(upstreams: readonly Upstream[], limit: number): Upstream | null {
  let best: Upstream | null = null;
  let equals = 1;
  for (const upstream of upstreams) {
    if (upstream.isSilent || upstream.inFlight >= limit) continue;
    if (best === null || upstream.inFlight < best.inFlight) {
      best = upstream;
      equals = 1;
    } else if (upstream.inFlight === best.inFlight && Math.random() * ++equals < 1) {
      best = upstream;
    }
  }
  return best;
}
