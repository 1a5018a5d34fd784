import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, type ProcessIdentity } from '../lib/process-identity.ts';
import {
  findRunning,
  startEmbeddedStore,
  stopEmbeddedStore,
  type EmbeddedStoreOptions,
} from '../store/embedded-store.ts';
import { keepLogSmall } from '../store/keep-log-small.ts';
import { createBackoff } from './backoff.ts';
import type { Output } from './output.ts';
import { StartRefused } from './start-refused.ts';

export interface KeptStore {
  /** Settles when it has answered for the first time; rejects when it cannot be started at all. */
  firstReady: Promise<void>;
  pid(): number | null;
  stop(): Promise<void>;
}

export interface StoreKeeperOptions {
  store: Omit<EmbeddedStoreOptions, 'signal'>;
  output: Output;
  /** The store has another process, or none. */
  onChange: () => void;
}

/** An adopted server is no child of ours, so its end is noticed by looking. */
const WATCH_INTERVAL_MS = 100;
const LOOK_AT_LOG_MS = 60_000;

/** Keeps the embedded PostgreSQL running. */
export function keepStoreRunning({ store, output, onChange }: StoreKeeperOptions): KeptStore {
  const stopping = new AbortController();
  const first = Promise.withResolvers<void>();
  let current: ProcessIdentity | null = null;

  async function runOnce(): Promise<void> {
    const { process, adopted } = await startEmbeddedStore({ ...store, signal: stopping.signal });
    current = process;
    onChange();
    output.say('info', adopted ? 'Adopted the store that was still running' : 'The store is ready', {
      pid: process.pid,
    });
    first.resolve();
    while (isAlive(process) && !stopping.signal.aborted) await pause(WATCH_INTERVAL_MS);
    current = null;
  }

  async function keep(): Promise<void> {
    const backoff = createBackoff();
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      const problem = await runOnce().catch((error: Error) => error);
      if (stopping.signal.aborted) return;
      if (problem) first.reject(new StartRefused(`The store cannot be started. ${problem.message}`));
      const waitMs = backoff.delayAfter(Date.now() - startedAt);
      output.say('warn', 'The store ended; starting it again', { ...(problem && { reason: problem.message }), waitMs });
      await pause(waitMs);
    }
  }

  /** Ends early when it is time to stop. */
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {});
  const kept = keep();
  const looking = setInterval(() => tidyLog(store.logFile, output), LOOK_AT_LOG_MS).unref();
  return {
    firstReady: first.promise,
    pid: () => current?.pid ?? null,
    async stop() {
      stopping.abort();
      clearInterval(looking);
      await kept;
      const running = findRunning(store);
      if (running) await stopEmbeddedStore(running);
    },
  };
}

/** A full disk must not end the platform. */
function tidyLog(path: string, output: Output): void {
  try {
    keepLogSmall(path);
  } catch (error) {
    output.say('warn', "The store's log could not be kept small", { path, reason: (error as Error).message });
  }
}
