/** How often a worker looks, and how patient it is. */
export interface WorkerTiming {
  /** Looks for work this often even if nothing woke it. */
  pollMs: number;
  /** A job is another's to take when its worker has not renewed its lease for this long. */
  leaseMs: number;
  renewMs: number;
  /** Looks this often for what workers that are gone left behind. */
  recoverMs: number;
  /** A worker whose session has gone may come back for this long. */
  graceMs: number;
  /** Looks this often whether it leads, and whether anybody does. */
  leadMs: number;
  /** What a handler has from the signal to stop until somebody else may run the job. */
  stopMs: number;
  /** What a handler whose time is over has to stop until it is given up and its place is another's. */
  giveUpMs: number;
}

/** Another worker has a dead one's jobs after at most graceMs + 2 × recoverMs: five seconds. */
export const defaultTiming: WorkerTiming = {
  pollMs: 5000,
  leaseMs: 15_000,
  renewMs: 2000,
  recoverMs: 500,
  graceMs: 4000,
  leadMs: 500,
  stopMs: 1500,
  giveUpMs: 60_000,
};
