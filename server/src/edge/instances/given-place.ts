import type { ExchangeOutcome, Place, Waiter } from './gate.ts';
import type { UpstreamPool } from '../proxy/upstream-pool.ts';
import type { Upstream } from './upstream.ts';

/** Who gave the place, and gets it back. */
export interface PlaceOwner {
  takeBack(place: GivenPlace, outcome: ExchangeOutcome): void;
  takeBackUnused(place: GivenPlace): void;
}

export class GivenPlace implements Place {
  readonly pool: UpstreamPool;
  readonly upstream: Upstream;
  readonly waiter: Waiter;
  /** Until when it waits if nobody can be connected to; 0 when it has not waited yet. */
  readonly untilMs: number;
  /** Whether the request is one of a release's check. */
  readonly isProbe: boolean;
  /** The instance has not begun to answer. */
  isAwaited = true;
  #owner: PlaceOwner | null;

  constructor(owner: PlaceOwner, upstream: Upstream, taken: { waiter: Waiter; untilMs: number; isProbe: boolean }) {
    this.#owner = owner;
    this.upstream = upstream;
    this.pool = upstream.pool;
    this.waiter = taken.waiter;
    this.untilMs = taken.untilMs;
    this.isProbe = taken.isProbe;
  }

  get instanceId(): string {
    return this.upstream.id;
  }

  answered(): void {
    this.isAwaited = false;
    this.upstream.noteAnswer(this.pool);
  }

  release(outcome: ExchangeOutcome): void {
    const owner = this.#owner;
    this.#owner = null;
    owner?.takeBack(this, outcome);
  }

  refused(): void {
    const owner = this.#owner;
    this.#owner = null;
    owner?.takeBackUnused(this);
  }
}
