import type { Attempts } from './attempts.ts';
import { extendLeases } from './claim-store.ts';
import type { WorkerSession } from './worker-session.ts';
import type { WorkerTiming } from './worker-timing.ts';

/** Keeps this worker's jobs its own, and stops them in time when it no longer can. */
export interface LeaseKeeper {
  /** Renews the leases. What turns out not to be ours any more is stopped, and so is what was cancelled. */
  renew(session: WorkerSession): Promise<void>;
  /** Stops what another worker may take soon. Needs no store: it goes by our own clock. */
  stopWhatMayBeLost(sessionLostAt: number | null): void;
  /** This process did nothing else for so long. */
  noteHang(ms: number): void;
}

export function createLeaseKeeper(attempts: Attempts, timing: WorkerTiming): LeaseKeeper {
  return {
    async renew(session) {
      const mine = attempts.all();
      if (mine.length === 0) return;
      const askedAt = performance.now();
      const claims = mine.map((attempt) => attempt.job);
      const held = new Map((await extendLeases(session, claims, timing.leaseMs)).map((row) => [row.id, row]));
      for (const attempt of mine) {
        const row = held.get(attempt.job.id);
        if (!row) attempt.stop('lost');
        else if (row.cancel_requested) attempt.stop('cancelled');
        if (row) attempt.confirmedAt = askedAt;
      }
    },
    noteHang(ms) {
      // By less no job is lost, so it need not be remembered.
      if (ms < timing.graceMs - timing.stopMs) return;
      for (const attempt of attempts.all()) attempt.hasHung = true;
    },
    stopWhatMayBeLost(sessionLostAt) {
      const now = performance.now();
      for (const attempt of attempts.all()) {
        const isSafe = now < safeUntil(attempt.confirmedAt, sessionLostAt, timing);
        if (!isSafe) attempt.stop('lost');
      }
    },
  };
}

/**
 * Others take a job when its lease has run out, or soon after they see our session gone; by then its
 * handler must have had the time to stop.
 */
function safeUntil(confirmedAt: number, sessionLostAt: number | null, timing: WorkerTiming): number {
  const byLease = confirmedAt + timing.leaseMs;
  const bySession = sessionLostAt === null ? byLease : sessionLostAt + timing.graceMs;
  return Math.min(byLease, bySession) - timing.stopMs;
}
