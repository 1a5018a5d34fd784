import { claimJobs, type Claimed } from './claim-store.ts';
import { claimFairly } from './fair-claim-store.ts';
import type { ClaimedJob, JobHandler, JobLimits } from './job.ts';
import type { LeadName } from './leadership.ts';
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
  /** Whether this worker takes jobs that need it. */
  leads: (name: LeadName) => boolean;
}

/** Each kind with limits has places of its own, and all others share the rest: a long build delays none of them. */
export function divideIntoPlaces(handlers: readonly JobHandler[], options: PlacesOptions): Places[] {
  const shared = handlers.filter((handler) => !handler.limits);
  const limited = handlers.flatMap((handler) =>
    handler.limits ? [limitedPlaces(handler, handler.limits, options)] : [],
  );
  return [sharedPlaces(shared, options), ...limited];
}

function sharedPlaces(handlers: readonly JobHandler[], options: PlacesOptions): Places {
  const { worker, leaseMs, concurrency, leads } = options;
  const kinds = handlers.map(({ kind }) => kind.name);
  return {
    kinds,
    claim(session, running) {
      const limit = concurrency - running.filter((job) => kinds.includes(job.kind)).length;
      if (limit <= 0) return null;
      const taken = handlers.filter(({ lead }) => !lead || leads(lead)).map(({ kind }) => kind.name);
      return claimJobs(session, { worker, kinds: taken, limit, leaseMs, except: running.map((job) => job.id) });
    },
  };
}

function limitedPlaces(handler: JobHandler, limits: JobLimits, { worker, leaseMs, leads }: PlacesOptions): Places {
  const kind = handler.kind.name;
  return {
    kinds: [kind],
    claim(session, running) {
      if (handler.lead && !leads(handler.lead)) return null;
      const mine = running.filter((job) => job.kind === kind);
      if (mine.length >= limits.perWorker) return null;
      const groups = Map.groupBy(mine, (job) => job.group_name!);
      const fullGroups = [...groups].filter(([, jobs]) => jobs.length >= limits.perGroup).map(([group]) => group);
      return claimFairly(session, { worker, kind, leaseMs, except: running.map((job) => job.id), fullGroups });
    },
  };
}
