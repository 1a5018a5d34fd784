import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../db/pool.ts';
import type { Log } from '../lib/log.ts';
import { createAttempts, type Attempts } from './attempts.ts';
import { requeueJob } from './claim-store.ts';
import type { JobHandler, JobObserver } from './job.ts';
import type { LeadName } from './leadership.ts';
import { requeueJobsOfOthers } from './leadership-store.ts';
import type { Leaderships } from './leaderships.ts';
import { createLeaseKeeper, type LeaseKeeper } from './lease-keeper.ts';
import { JobStopped, messageOf } from './outcome.ts';
import { CANCEL_CHANNEL } from './queue-store.ts';
import { recoverJobs, takeOverJobs } from './recover-jobs.ts';
import { repeat } from './repeat.ts';
import { enqueueMissing } from './schedule.ts';
import { divideIntoPlaces, type Places } from './places.ts';
import { takeJobs } from './take-jobs.ts';
import { createWakeSignal, type WakeSignal } from './wake-signal.ts';
import { keepSession, type KeptSession, type WorkerSession } from './worker-session.ts';
import { defaultTiming, type WorkerTiming } from './worker-timing.ts';

export interface WorkerOptions {
  store: Store;
  log: Log;
  /**
   * Who this worker is: the same after a restart, and nobody else's. Under this name it takes up at
   * once what its predecessor left behind.
   */
  name: string;
  handlers: readonly JobHandler[];
  /** How many jobs it runs at a time, besides those of kinds with limits of their own. */
  concurrency?: number;
  timing?: Partial<WorkerTiming>;
  observer?: JobObserver;
  /** What it may lead. Left out, it takes jobs as if it led everything: no other worker may be there. */
  leaderships?: Leaderships;
}

export interface Worker {
  /** Resolves when it takes jobs for the first time; it keeps trying until the store answers. */
  start(): Promise<void>;
  /** Takes no more jobs, lets those that run finish for a while, then stops them: they run again later. */
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  finishMs?: number;
  /** When no job runs any more, and while it still leads what it led. */
  beforeLeaving?: () => Promise<void>;
}

export function createWorker(options: WorkerOptions): Worker {
  return new JobWorker(options);
}

class JobWorker implements Worker {
  readonly #options: WorkerOptions;
  readonly #timing: WorkerTiming;
  readonly #kinds: ReadonlyMap<string, JobHandler>;
  readonly #attempts: Attempts;
  readonly #leases: LeaseKeeper;
  readonly #takers: readonly { places: Places; work: WakeSignal }[];
  readonly #ready = Promise.withResolvers<void>();
  /** First no more jobs are taken; what keeps the running ones alive goes on until they are done. */
  readonly #stopping = new AbortController();
  readonly #closing = new AbortController();
  #session: KeptSession | null = null;
  #isRestart = true;
  #taking: Promise<unknown> = Promise.resolve();
  #keeping: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
    this.#kinds = new Map(options.handlers.map((handler) => [handler.kind.name, handler]));
    const { store, log, handlers, name: worker, concurrency = 4, observer } = options;
    const leads = (lead: LeadName) => options.leaderships?.of(lead).isHeld() ?? true;
    const places = divideIntoPlaces(handlers, { worker, concurrency, leaseMs: this.#timing.leaseMs, leads });
    this.#takers = places.map((each) => ({ places: each, work: createWakeSignal() }));
    const { giveUpMs } = this.#timing;
    const onSettled = () => this.#wake();
    this.#attempts = createAttempts({ store, log, observer, handlers: this.#kinds, giveUpMs, onSettled });
    this.#leases = createLeaseKeeper(this.#attempts, this.#timing);
  }

  start(): Promise<void> {
    if (!this.#session) {
      this.#session = this.#openSession();
      this.#keeping = this.#keepJobs(this.#session);
      this.#taking = this.#takeJobs(this.#session);
    }
    return this.#ready.promise;
  }

  async stop({ finishMs = 2000, beforeLeaving }: StopOptions = {}): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#taking;
    await Promise.race([this.#attempts.drained(), delay(finishMs)]);
    for (const attempt of this.#attempts.all()) attempt.stop('stopping');
    await Promise.race([this.#attempts.drained(), delay(this.#timing.stopMs)]);
    // Whoever heeds no signal is on its own from here: its job will run again elsewhere.
    for (const attempt of this.#attempts.all()) attempt.stop('lost');
    await beforeLeaving?.();
    this.#closing.abort();
    await this.#keeping;
    await this.#putBack();
    await this.#giveUp();
    await this.#session?.close();
    this.#ready.resolve();
  }

  #openSession(): KeptSession {
    const { store, log, name } = this.#options;
    return keepSession({
      store,
      log,
      name,
      prepare: (session) => this.#prepare(session),
      onReady: () => {
        this.#ready.resolve();
        this.#wake();
      },
      onLost: () => this.#options.leaderships?.leave(),
      onNotification: (channel, payload) => {
        if (channel === CANCEL_CHANNEL) this.#attempts.find(payload)?.stop('cancelled');
        else this.#wake(payload);
      },
    });
  }

  /** Renews first: while there was no session, the others' patience ran out. */
  async #prepare(session: WorkerSession): Promise<void> {
    const { store, name, handlers } = this.#options;
    await this.#leases.renew(session);
    await takeOverJobs(store.db, { name, runningHere: this.#runningHere(), isRestart: this.#isRestart });
    await enqueueMissing(store.db, handlers);
    await this.#takeOverFrom(await this.#options.leaderships?.enter(session));
    this.#isRestart = false;
  }

  /** Of those who led before. */
  async #takeOverFrom(gained: readonly LeadName[] = []): Promise<void> {
    const { store, name: worker, handlers } = this.#options;
    if (gained.length === 0) return;
    const kinds = handlers.filter(({ lead }) => lead && gained.includes(lead)).map(({ kind }) => kind.name);
    await requeueJobsOfOthers(store.db, { kinds, worker });
    this.#wake();
  }

  /** What has not stopped in its time: whoever comes after this worker would believe that it died of that. */
  async #putBack(): Promise<void> {
    const { store, log } = this.#options;
    const stopped = { error: messageOf(new JobStopped('stopping')), delayMs: 0, isCounted: false };
    for (const { job } of this.#attempts.all()) {
      await requeueJob(store.db, job, stopped).catch((error: unknown) =>
        log.warn({ err: error }, 'a job cannot be put back'),
      );
    }
  }

  async #giveUp(): Promise<void> {
    const session = this.#session?.current();
    // Without a word, others only wait a little longer.
    if (session) await this.#options.leaderships?.giveUp(session).catch(() => {});
  }

  #takeJobs(kept: KeptSession): Promise<unknown> {
    const { log } = this.#options;
    const shared = { log, attempts: this.#attempts, pollMs: this.#timing.pollMs, session: () => kept.current() };
    return Promise.all(this.#takers.map((taker) => takeJobs({ ...shared, ...taker }, this.#stopping.signal)));
  }

  /** Whoever takes jobs of the kind looks again; all do when none is named. */
  #wake(kind?: string): void {
    for (const { places, work } of this.#takers) if (!kind || places.kinds.includes(kind)) work.wake();
  }

  #keepJobs(kept: KeptSession): Promise<unknown> {
    const { store, log } = this.#options;
    const { renewMs, recoverMs, graceMs, leadMs } = this.#timing;
    const until = this.#closing.signal;
    // Apart from the others, since those may be waiting for a store that does not answer.
    let lookedAt = performance.now();
    const watch = setInterval(() => {
      this.#leases.noteHang(performance.now() - lookedAt - recoverMs);
      lookedAt = performance.now();
      this.#leases.stopWhatMayBeLost(kept.lostAt());
    }, recoverMs);
    until.addEventListener('abort', () => clearInterval(watch));
    const renewing = repeat({ everyMs: renewMs, until, log }, async () => {
      const session = kept.current();
      if (session) await this.#leases.renew(session);
    });
    const recovering = repeat({ everyMs: recoverMs, until, log }, async () => {
      if (kept.current()) await recoverJobs(store.db, { runningHere: this.#runningHere(), graceMs });
    });
    const leading = repeat({ everyMs: leadMs, until, log }, async () => {
      const session = kept.current();
      if (session) await this.#takeOverFrom(await this.#options.leaderships?.look(session));
    });
    return Promise.all([renewing, recovering, leading]);
  }

  #runningHere(): string[] {
    return this.#attempts.all().map((attempt) => attempt.job.id);
  }
}
