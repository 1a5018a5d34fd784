import type { EdgeError } from '../answer.ts';
import type { UpstreamPool } from '../proxy/upstream-pool.ts';

/** Where the requests of one environment wait for an instance with room. */
export interface Gate {
  readonly environmentId: string;
  /** Answers are for those who know a password: no cache between here and them may keep them. */
  readonly isPrivate: boolean;
  /**
   * Calls the waiter back once, now or later, with a place or with why there is none. Given a probe's
   * token, only the instances of that probe count, and it is not held; with `<token>.<instance id>`, only
   * that one of them does. A token that is not the probe's counts for nothing.
   */
  take(waiter: Waiter, probe?: string): void;
  /** The client is gone: it waits no more. Harmless when it does not. */
  cancel(waiter: Waiter): void;
}

export interface Waiter {
  onPlace(place: Place): void;
  onRefused(error: EdgeError): void;
}

/** A request's place at one instance. Exactly one of the two ends it, exactly once. */
export interface Place {
  readonly instanceId: string;
  readonly pool: UpstreamPool;
  /** The instance has begun to answer. */
  answered(): void;
  /** The exchange is over, however it ended. */
  release(outcome: ExchangeOutcome): void;
  /**
   * Nothing was sent, since nobody could be connected to: the same waiter is called again, from the head of the queue.
   */
  refused(): void;
}

export interface ExchangeOutcome {
  /** What the client was answered; 0 when it was gone before. */
  status: number;
  /** From the head of the request to the last byte of the answer. */
  ms: number;
  bytesIn: number;
  bytesOut: number;
}
