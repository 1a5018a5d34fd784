import { setTimeout as delay } from 'node:timers/promises';
import { dayOf } from '../db/day-partitions.ts';
import type { Db } from '../db/pool.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { countLines } from './count-lines.ts';
import { encodeEntries } from './log-chunk.ts';
import type { LogEntry } from './log-entry.ts';
import { appendChunks } from './log-store.ts';
import { PendingLines } from './pending-lines.ts';
import { usedBytesOf, type LogCaps } from './rate-cap.ts';
import { readUsage } from './usage-store.ts';

export interface LineWriterOptions {
  db: Db;
  clock: Clock;
  log: Log;
  /** Null: whoever adds lines adds few. */
  caps: LogCaps | null;
  /** How long lines are gathered. */
  everyMs?: number;
  /** How long each waits at least before it is stored: what others store should stand before it. */
  restMs?: number;
  /** What may wait, of all environments. */
  maxLines?: number;
  maxBytes?: number;
}

const EVERY_MS = 200;
const LONGEST_RETRY_MS = 2000;
const MAX_LINES = 50_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** So much of what may wait may be one environment's. */
const SHARE = 0.25;
/** How often it is asked what others have written. */
const LEARN_EVERY_MS = 10_000;
const LAST_WORDS_MS = 1000;

interface Taken {
  environmentId: string;
  pending: PendingLines;
  entries: readonly LogEntry[];
  droppedLines: number;
}

/**
 * Gathers lines that come one by one, and stores them together. Nobody waits for it, and it takes no more
 * memory however long the store is away: what has no room is dropped, counted, and told in the log.
 */
export class LineWriter {
  readonly #options: LineWriterOptions;
  readonly #everyMs: number;
  readonly #pending = new Map<string, PendingLines>();
  readonly #room: { lines: number; bytes: number };
  readonly #share: { lines: number; bytes: number };
  #timer: NodeJS.Timeout | null = null;
  #retryMs = 0;
  #writing: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#everyMs = options.everyMs ?? EVERY_MS;
    const { maxLines: lines = MAX_LINES, maxBytes: bytes = MAX_BYTES } = options;
    this.#room = { lines, bytes };
    this.#share = { lines: lines * SHARE, bytes: bytes * SHARE };
  }

  add(environmentId: string, entry: LogEntry): void {
    if (this.#isClosed) return;
    const nowMs = this.#nowMs();
    let pending = this.#pending.get(environmentId);
    if (!pending) {
      pending = new PendingLines(this.#options.caps, { share: this.#share, room: this.#room, nowMs });
      this.#pending.set(environmentId, pending);
    }
    pending.add(entry, nowMs);
    this.#timer ??= setTimeout(() => void this.flush(), this.#everyMs);
  }

  /** Stores what there is, once; what could not be stored is tried again later. Never fails. */
  async flush(): Promise<void> {
    await this.#writing;
    this.#writing ??= this.#write().finally(() => (this.#writing = null));
    await this.#writing;
  }

  /** Stores the last lines, if that takes no longer than a moment. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const pending of this.#pending.values()) pending.mark(this.#nowMs(), true);
    await Promise.race([this.flush(), delay(LAST_WORDS_MS, undefined, { ref: false })]);
    this.#stopTimer();
    const lost = [...this.#pending.values()].reduce((sum, { size }) => sum + size, 0);
    if (lost > 0) this.#options.log.warn({ lines: lost }, 'the last lines of logs could not be stored');
  }

  async #write(): Promise<void> {
    this.#stopTimer();
    const taken = this.#take();
    try {
      await this.#store(taken);
      this.#retryMs = 0;
    } catch (error) {
      for (const { pending } of taken) pending.giveBack();
      this.#noteTrouble(error);
    }
    this.#forgetRested();
    const waits = [...this.#pending.values()].some((pending) => pending.isWaiting);
    if (waits && !this.#isClosed) this.#timer ??= setTimeout(() => void this.flush(), this.#retryMs || this.#everyMs);
  }

  #take(): Taken[] {
    const nowMs = this.#nowMs();
    const { restMs = 0 } = this.#options;
    const ripe = [...this.#pending].filter(([, pending]) => this.#isClosed || pending.hasRested(nowMs, restMs));
    return Array.from(ripe, ([environmentId, pending]) => {
      pending.mark(nowMs);
      return { environmentId, pending, ...pending.take() };
    }).filter(({ entries }) => entries.length > 0);
  }

  async #store(taken: readonly Taken[]): Promise<void> {
    if (taken.length === 0) return;
    await this.#learn(taken.map(({ environmentId }) => environmentId));
    const isOfAccess = this.#options.caps?.isOfAccess ?? false;
    const encode = async ({ entries, ...rest }: Taken) => ({
      ...rest,
      isOfAccess,
      chunks: await encodeEntries(entries),
    });
    const batches = await Promise.all(taken.map(encode));
    const { gone } = await this.#options.db.transaction().execute((tx) => appendChunks(tx, batches));
    countLines(batches, gone);
    for (const { pending } of taken) pending.letGo();
    for (const environmentId of gone) {
      this.#pending.get(environmentId)?.discard();
      this.#pending.delete(environmentId);
    }
  }

  /** A store that is away for a moment is no news. */
  #noteTrouble(error: unknown): void {
    const isNews = this.#retryMs < LONGEST_RETRY_MS;
    this.#retryMs = Math.min(LONGEST_RETRY_MS, (this.#retryMs || this.#everyMs) * 2);
    if (isNews && this.#retryMs === LONGEST_RETRY_MS) {
      this.#options.log.warn({ err: error }, 'lines of logs wait for the store');
    }
  }

  /** What other processes have written today counts too. */
  async #learn(environmentIds: readonly string[]): Promise<void> {
    const { caps, db } = this.#options;
    if (caps === null) return;
    const nowMs = this.#nowMs();
    const due = environmentIds.filter((id) => this.#pending.get(id)!.isToLearn(nowMs, LEARN_EVERY_MS));
    if (due.length === 0) return;
    const day = dayOf(nowMs);
    const usage = await readUsage(db, due, day);
    for (const [id, used] of usage) this.#pending.get(id)!.learn(day, usedBytesOf(caps, used), nowMs);
  }

  #forgetRested(): void {
    const nowMs = this.#nowMs();
    for (const [id, pending] of this.#pending) if (pending.isRested(nowMs)) this.#pending.delete(id);
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #nowMs(): number {
    return this.#options.clock.now().getTime();
  }
}
