import { setTimeout as delay } from 'node:timers/promises';
import type { Db, Store } from '../db/pool.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { dayOfMinute, ensureMinutePartitions, writeMinutes } from './metric-store.ts';
import type { MinuteBook } from './minute-book.ts';
import { minuteOf, type MinuteRow } from './minute-row.ts';

export interface MinuteWriterOptions {
  store: Pick<Store, 'db'>;
  book: MinuteBook;
  /** Brings what was counted since the last time into the book; it belongs to the minute. */
  collect?: (minute: number) => void;
  clock: Clock;
  log: Log;
}

export interface MinuteWriter {
  start(): void;
  /** Brings in and writes what there is. Never fails: what cannot be written is kept for the next time. */
  flush(): Promise<void>;
  /** With a last flush, which is not waited for long. */
  stop(): Promise<void>;
}

/** Divides a minute, so that what is counted is brought in as each minute ends. */
const EVERY_MS = 20_000;
const ROWS_AT_A_TIME = 2000;
const UNDEFINED_TABLE = '42P01';
const LAST_FLUSH_MS = 1000;

/** Writes a process's book to the store, a few times a minute. Without the store, it is kept for a while. */
export function createMinuteWriter({ store, book, collect, clock, log }: MinuteWriterOptions): MinuteWriter {
  const nowMs = () => clock.now().getTime();
  const knownDays = new Set<string>();
  let collectedAtMs = nowMs();
  let isAway = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  /** Where a write is under way, what is new waits for the next time. */
  function flush(): Promise<void> {
    // What was counted since the last time belongs to when that began: this comes as the minute ends.
    collect?.(minuteOf(collectedAtMs));
    collectedAtMs = nowMs();
    writing ??= write().finally(() => (writing = undefined));
    return writing;
  }

  async function write(): Promise<void> {
    const rows = book.takeChanged();
    let written = 0;
    try {
      for (; written < rows.length; written += ROWS_AT_A_TIME) {
        await writeSome(store.db, rows.slice(written, written + ROWS_AT_A_TIME));
      }
      if (isAway) log.info('metrics are written again');
      isAway = false;
    } catch (error) {
      // It may be another store when it is back: one that was restored.
      knownDays.clear();
      const lost = book.giveBack(rows.slice(written));
      // While the platform starts for the first time, the tables are being made: they are waited for.
      const isEarly = (error as { code?: unknown }).code === UNDEFINED_TABLE;
      if (!isAway && !isEarly) log.warn({ err: error }, 'metrics cannot be written; they are kept for a while');
      if (lost > 0) log.warn({ rows: lost }, 'metrics are lost: they could not be written in time');
      isAway ||= !isEarly;
    }
  }

  async function writeSome(db: Db, rows: readonly MinuteRow[]): Promise<void> {
    const days = [...new Set(rows.map(({ minute }) => dayOfMinute(minute)))].filter((day) => !knownDays.has(day));
    if (days.length > 0) await ensureMinutePartitions(db, days);
    for (const day of days) knownDays.add(day);
    await writeMinutes(db, rows);
  }

  function schedule(): void {
    const ms = EVERY_MS - (nowMs() % EVERY_MS);
    timer = setTimeout(() => {
      schedule();
      void flush();
    }, ms).unref();
  }

  return {
    start: schedule,
    flush,
    async stop() {
      clearTimeout(timer);
      const lastFlush = (writing ?? Promise.resolve()).then(flush);
      await Promise.race([lastFlush, delay(LAST_FLUSH_MS, undefined, { ref: false })]);
    },
  };
}
