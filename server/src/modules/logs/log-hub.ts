import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { decodeChunk } from '../../logs/log-chunk.ts';
import { readChunks, readHeads } from '../../logs/log-store.ts';
import { HubChunk } from './hub-chunk.ts';

export interface LogHubDeps {
  store: { db: Db };
  log: Log;
}

/** Where a follower is, and which chunks it wants. */
export interface Cursor {
  environmentId: string;
  /** The last line it has seen. */
  line: number;
  /** The newest line it knows of. */
  head: number;
  severityMask: number;
}

/** How often it is asked for new lines: one question, whoever follows. */
const LOOK_EVERY_MS = 50;
const LOOK_AGAIN_MS = 500;
/** A follower that is behind reads so many at once. */
const CHUNKS_AT_ONCE = 4;
/** What followers of one environment read at the same moment is read and decompressed once. */
const MAX_SHARED_READS = 64;
const MAX_SHARED_CHARACTERS = 16 * 1024 * 1024;

interface Waiter {
  line: number;
  wake: (head: number | null) => void;
}

interface SharedRead {
  chunks: Promise<HubChunk[]>;
  /** The newest line that was surely there when it began: who knows of newer ones would miss them in it. */
  head: number;
  /** Known when it is there. */
  characters: number;
}

/**
 * Tells whoever follows a log that there is more of it. It asks the store only while somebody waits, and holds
 * no lines for anybody: each follower reads from where it is, when it can take more.
 */
export class LogHub {
  readonly #db: Db;
  readonly #log: Log;
  readonly #waiters = new Map<string, Set<Waiter>>();
  readonly #reads = new Map<string, SharedRead>();
  #characters = 0;
  #looking: Promise<void> | null = null;

  constructor({ store, log }: LogHubDeps) {
    this.#db = store.db;
    this.#log = log;
  }

  /** How many wait. */
  get waiting(): number {
    let count = 0;
    for (const waiters of this.#waiters.values()) count += waiters.size;
    return count;
  }

  /** The number of the newest line, now. */
  async head(environmentId: string): Promise<number> {
    return (await readHeads(this.#db, [environmentId])).get(environmentId)!;
  }

  /** The number of the newest line as soon as there is one after the given; null when it is aborted before. */
  untilAfter(environmentId: string, line: number, signal: AbortSignal): Promise<number | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(environmentId) ?? new Set();
      this.#waiters.set(environmentId, waiters);
      const waiter: Waiter = {
        line,
        wake: (head) => {
          signal.removeEventListener('abort', giveUp);
          waiters.delete(waiter);
          if (waiters.size === 0) this.#waiters.delete(environmentId);
          resolve(head);
        },
      };
      const giveUp = () => waiter.wake(null);
      signal.addEventListener('abort', giveUp);
      waiters.add(waiter);
      this.#looking ??= this.#look();
    });
  }

  /** The next chunks after a cursor, the earliest first. Lines up to the cursor may be in the first of them. */
  async read(cursor: Cursor): Promise<readonly HubChunk[]> {
    const key = `${cursor.environmentId} ${cursor.line} ${cursor.severityMask}`;
    const known = this.#reads.get(key);
    if (known && known.head >= cursor.head) return known.chunks;
    const read: SharedRead = { chunks: this.#readChunks(cursor), head: cursor.head, characters: 0 };
    this.#forget(key);
    this.#reads.set(key, read);
    try {
      const chunks = await read.chunks;
      this.#keep(key, read, chunks);
      return chunks;
    } catch (error) {
      if (this.#reads.get(key) === read) this.#forget(key);
      throw error;
    }
  }

  /** Resolves when nothing is asked of the store any more. To be called when nobody follows. */
  async close(): Promise<void> {
    await this.#looking;
  }

  async #readChunks({ environmentId, line, severityMask }: Cursor): Promise<HubChunk[]> {
    const query = { environmentId, afterLine: line, severityMask, limit: CHUNKS_AT_ONCE, order: 'asc' } as const;
    const rows = await readChunks(this.#db, query);
    return Promise.all(rows.map(async (row) => new HubChunk(await decodeChunk(row))));
  }

  /**
   * What was there stays true, so it may be handed out to anybody, as long as there is room: all that came later
   * is after it. What was not there may come.
   */
  #keep(key: string, read: SharedRead, chunks: readonly HubChunk[]): void {
    if (this.#reads.get(key) !== read) return;
    if (chunks.length === 0) return this.#forget(key);
    read.head = Infinity;
    read.characters = chunks.reduce((sum, { text }) => sum + text.length, 0);
    this.#characters += read.characters;
    for (const oldest of this.#reads.keys()) {
      if (this.#reads.size <= MAX_SHARED_READS && this.#characters <= MAX_SHARED_CHARACTERS) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#characters -= this.#reads.get(key)?.characters ?? 0;
    this.#reads.delete(key);
  }

  async #look(): Promise<void> {
    let isAway = false;
    while (this.#waiters.size > 0) {
      try {
        this.#wake(await readHeads(this.#db, [...this.#waiters.keys()]));
        isAway = false;
      } catch (error) {
        if (!isAway) this.#log.warn({ err: error }, 'Whoever follows a log waits: the store does not answer');
        isAway = true;
      }
      await delay(isAway ? LOOK_AGAIN_MS : LOOK_EVERY_MS);
    }
    this.#looking = null;
    // Nobody needs what was read together with those who have gone.
    this.#reads.clear();
    this.#characters = 0;
  }

  #wake(heads: ReadonlyMap<string, number>): void {
    for (const [environmentId, head] of heads) {
      for (const waiter of this.#waiters.get(environmentId) ?? []) {
        if (head > waiter.line) waiter.wake(head);
      }
    }
  }
}
