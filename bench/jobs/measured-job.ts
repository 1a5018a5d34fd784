import { defineJob } from '../../server/src/jobs/job.ts';

export const measuredJob = defineJob<{ mark: string; holdMs: number }>('bench.measured');
export const BARE_CHANNEL = 'bench_bare';

/** What a worker process tells: the mark of a job or of a bare notification, and when it came. */
export interface Seen {
  mark: string;
  at: number;
}

/** Milliseconds that mean the same in every process of this machine. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
