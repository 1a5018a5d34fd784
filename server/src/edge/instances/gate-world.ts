import type { Demand } from '../../routing/edge-load.ts';
import type { InstanceAddress } from '../../routing/route.ts';
import type { Ticker } from './ticker.ts';

/**
 * Where an edge says what cannot wait for its next report. Neither blocks nor fails, whether anybody hears it or not.
 */
export interface GateSignals {
  demand(demand: Omit<Demand, 'edge'>): void;
  /** The last request of an instance that takes no more is over. */
  drained(instanceId: string): void;
}

/** What the gates of one edge share. */
export interface GateWorld {
  readonly ticker: Ticker;
  readonly signals: GateSignals;
  /** How long a request waits for an instance. */
  readonly holdMs: number;
  /** Requests that wait, at all gates, and how many may. */
  held: number;
  readonly maxHeld: number;
  /** How many edges there are, this one included. */
  edgeCount: number;
  /** Whether somebody listens there. Never fails. */
  tryConnect(address: InstanceAddress): Promise<boolean>;
}
