import { AsyncLocalStorage } from 'node:async_hooks';

/** What led to the work that is being done: a request of somebody, a job, or a job that a request asked for. */
export interface Trace {
  readonly requestId: string | null;
  readonly jobId: string | null;
  /**
   * Set when the request is answered or the job has ended: what was started meanwhile and goes on is not of it any
   * more.
   */
  isOver: boolean;
}

const storage = new AsyncLocalStorage<Trace | null>();

export function traceOfRequest(requestId: string): Trace {
  return { requestId, jobId: null, isOver: false };
}

export function traceOfJob(jobId: string, requestId: string | null): Trace {
  return { requestId, jobId, isOver: false };
}

/** Does the work, and everything that it starts, as part of this. */
export function traced<T>(trace: Trace, work: () => T): T {
  return storage.run(trace, work);
}

/** For what belongs to nobody's request though one set it off, like the next of a chain without end. */
export function untraced<T>(work: () => T): T {
  return storage.run(null, work);
}

/** Null outside of requests and jobs, and in what outlives them. */
export function currentTrace(): Trace | null {
  const trace = storage.getStore();
  return trace && !trace.isOver ? trace : null;
}
