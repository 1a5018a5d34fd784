import type { InstanceAddress } from '../../routing/route.ts';
import { UpstreamPool } from '../proxy/upstream-pool.ts';
import type { ExchangeOutcome } from './gate.ts';

/** What an instance is given: requests of everybody, those of a release's check only, or none any more. */
export type UpstreamRole = 'serving' | 'checked' | 'withdrawn';

const FIRST_RETRY_MS = 2;
/** Of the time since it was first refused: who has waited long may wait a little longer. */
const RETRY_SHARE = 0.1;
/** While somebody waits for it, and while nobody does. */
const LONGEST_RETRY_MS = { wanted: 50, unwanted: 1000 } as const;

/** One instance as this edge sees it. */
export class Upstream {
  readonly id: string;
  pool: UpstreamPool;
  role: UpstreamRole = 'serving';
  inFlight = 0;
  /** Nobody could be connected to. */
  isSilent = false;
  #silentSinceMs = 0;
  /** Requests in a row that it took and never began to answer. */
  unanswered = 0;
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
      this.unanswered = 0;
    }
    this.role = role;
  }

  withdraw(): void {
    if (this.role === 'withdrawn') return;
    this.role = 'withdrawn';
    this.pool.retire();
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
    const share = (nowMs - this.#silentSinceMs) * RETRY_SHARE;
    const longest = isWanted ? LONGEST_RETRY_MS.wanted : LONGEST_RETRY_MS.unwanted;
    this.tryAtMs = nowMs + Math.min(Math.max(share, FIRST_RETRY_MS), longest);
  }

  noteHeard(): void {
    this.isSilent = false;
    this.tryAtMs = Infinity;
  }

  /** An instance may say 504 too: one that the edge says has nothing of the instance's in it. */
  noteOutcome({ status, bytesOut }: ExchangeOutcome): void {
    if (bytesOut > 0 || status === 101) this.unanswered = 0;
    else if (status === 504) this.unanswered++;
  }

  /** Somebody waits for it now. */
  hurry(nowMs: number): void {
    if (this.isSilent && this.tryAtMs < Infinity)
      this.tryAtMs = Math.min(this.tryAtMs, nowMs + LONGEST_RETRY_MS.wanted);
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
