import { utimes } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { LockHeld, tryLock } from '../../lib/file-lock.ts';
import type { Log } from '../../lib/log.ts';

export interface SnapshotWriterOptions {
  path: string;
  /** Writes everything there is. */
  write: () => Promise<void>;
  log: Log;
}

export interface SnapshotWriter {
  /** Something changed. */
  note(): void;
  /** What is known is true as of now: where all of it is on disk, the time of the file says so. */
  confirm(): void;
  /** Writes what is not yet written. */
  close(): Promise<void>;
}

/** Changes within this time are written together. */
const SETTLE_MS = 1000;
/** Writing may take this part of the time at most: the larger the table, the rarer it is written. */
const BUSY_PART = 0.02;

const CONFIRM_EVERY_MS = 5000;

/** Keeps the snapshot on disk. Of the edges of a machine one writes; when it is gone, another does. */
export function createSnapshotWriter({ path, write, log }: SnapshotWriterOptions): SnapshotWriter {
  const closing = new AbortController();
  let unlock: (() => void) | null = null;
  let isDirty = false;
  let underWay: Promise<void> | null = null;
  let confirmedAt = -Infinity;

  async function settleAndWrite(): Promise<void> {
    let pauseMs = SETTLE_MS;
    while (isDirty && !closing.signal.aborted) {
      await delay(pauseMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      pauseMs = Math.max(SETTLE_MS, (await writeDirty()) / BUSY_PART);
    }
  }

  /** How long it took, in milliseconds. */
  async function writeDirty(): Promise<number> {
    if (!isDirty || !isOurs()) return 0;
    isDirty = false;
    const startedAt = performance.now();
    try {
      await write();
    } catch (error) {
      isDirty = true;
      log.warn({ err: error, path }, 'What this edge knows could not be written to disk');
    }
    return performance.now() - startedAt;
  }

  function isOurs(): boolean {
    try {
      unlock ??= tryLock(`${path}.lock`);
      return true;
    } catch (error) {
      if (error instanceof LockHeld) return false;
      throw error;
    }
  }

  return {
    note: () => {
      isDirty = true;
      underWay ??= settleAndWrite().finally(() => (underWay = null));
    },
    confirm: () => {
      if (isDirty || underWay || performance.now() - confirmedAt < CONFIRM_EVERY_MS || !isOurs()) return;
      confirmedAt = performance.now();
      const now = new Date();
      // Where nothing was written yet there is nothing to confirm.
      void utimes(path, now, now).catch(() => {});
    },
    close: async () => {
      closing.abort();
      await underWay;
      await writeDirty();
      unlock?.();
    },
  };
}
