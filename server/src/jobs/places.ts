import { claimJobs, type Claimed } from './claim-store.ts';
import { claimFairly } from './fair-claim-store.ts';
import type { ClaimedJob, JobHandler, JobLimits } from './job.ts';
import type { WorkerSession } from './worker-session.ts';

/** Kinds of jobs that share places on this worker, and how they are taken. */
export interface Places {
  readonly kinds: readonly string[];
  /** Null where all are taken; else what was claimed, null when others were at the same jobs. */
  claim(session: WorkerSession, running: readonly ClaimedJob[]): Promise<Claimed | null> | null;
}

interface PlacesOptions {
  worker: string;
  leaseMs: number;
  concurrency: number;
}

/** Each kind with limits has places of its own, and all others share the rest: a long build delays none of them. */
export function divideIntoPlaces(handlers: readonly JobHandler[], options: PlacesOptions): Places[] {
  const shared = handlers.filter((handler) => !handler.limits).map((handler) => handler.kind.name);
  const limited = handlers.flatMap(({ kind, limits }) => (limits ? [limitedPlaces(kind.name, limits, options)] : []));
  return [sharedPlaces(shared, options), ...limited];
}

function sharedPlaces(kinds: readonly string[], { worker, leaseMs, concurrency }: PlacesOptions): Places {
  return {
    kinds,
    claim(session, running) {
      const limit = concurrency - running.filter((job) => kinds.includes(job.kind)).length;
      if (limit <= 0) return null;
      return claimJobs(session, { worker, kinds, limit, leaseMs, except: running.map((job) => job.id) });
    },
  };
}

function limitedPlaces(kind: string, limits: JobLimits, { worker, leaseMs }: PlacesOptions): Places {
  return {
    kinds: [kind],
    claim(session, running) {
      const mine = running.filter((job) => job.kind === kind);
      if (mine.length >= limits.perWorker) return null;
      const groups = Map.groupBy(mine, (job) => job.group_name!);
      const fullGroups = [...groups].filter(([, jobs]) => jobs.length >= limits.perGroup).map(([group]) => group);
      return claimFairly(session, { worker, kind, leaseMs, except: running.map((job) => job.id), fullGroups });
    },
  };
}
