import type { Db, Store } from '../../db/pool.ts';
import { createBreather, type Breathe } from '../../lib/breather.ts';
import type { Clock } from '../../lib/clock.ts';
import { createFairTurns } from '../../lib/fair-turns.ts';
import { invalid } from '../../lib/fault.ts';
import type { NumberedEntry } from '../../logs/log-entry.ts';
import { ChunkMatcher } from './chunk-matcher.ts';
import { severityMask, type LogFilter } from './log-filter.ts';
import { oldestKept } from './retention.ts';
import { walkBack, type ChunkPage, type SearchBudget } from './walk-back.ts';

export interface SearchDeps {
  store: Pick<Store, 'db'>;
  clock: Clock;
}

export interface LogSearch {
  environmentId: string;
  /** On whose account: the searches of one wait for one another. */
  owner: string;
  filter: LogFilter;
  limit: number;
  /** Only what is before this line. */
  beforeLine?: number;
  /** Aborted when nobody wants to know any more; the search then throws the reason. */
  signal?: AbortSignal;
}

export interface FoundLines {
  /** The oldest first. */
  entries: NumberedEntry[];
  /** Where to go on for older ones; null when there are none. */
  beforeLine: number | null;
}

const usualBudget: SearchBudget = { chunks: 4000, bytes: 64 * 1024 * 1024 };
/** Those that are under way hold what they have found. */
const underWay = createFairTurns({ turns: 16, perOwner: 2 });
/** Each page takes a turn of its own: between two, others have theirs, however long the search. */
const looking = createFairTurns({ turns: 4, perOwner: 2 });
/** So much text is answered at once: whoever wants more goes on from there. */
const MAX_FOUND_CHARACTERS = 8 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The newest lines that match. By their numbers, which is the order in which they were stored. */
export async function searchLogs(
  { store, clock }: SearchDeps,
  search: LogSearch,
  budget: SearchBudget = usualBudget,
): Promise<FoundLines> {
  const filter = withinRetention(search.filter, clock.now());
  if (filter === null) return { entries: [], beforeLine: null };
  return underWay.run(search.owner, () => lookBack(store.db, { ...search, filter }, budget), search.signal);
}

/** Null when nothing can match. Times far from now are kept from the store. */
function withinRetention(filter: LogFilter, now: Date): LogFilter | null {
  const { startTime, endTime } = filter;
  if (startTime && endTime && startTime > endTime) throw invalid('filters.startTime is after filters.endTime.');
  const oldest = oldestKept(now);
  const newest = new Date(now.getTime() + DAY_MS);
  if ((endTime && endTime < oldest) || (startTime && startTime > newest)) return null;
  return {
    ...filter,
    startTime: startTime && startTime > oldest ? startTime : oldest,
    endTime: endTime && endTime < newest ? endTime : newest,
  };
}

async function lookBack(db: Db, search: LogSearch, budget: SearchBudget): Promise<FoundLines> {
  const { environmentId, owner, filter, beforeLine, signal } = search;
  const { startTime, endTime } = filter;
  const query = { environmentId, beforeLine, startTime, endTime, severityMask: severityMask(filter.severities) };
  // Who waits for a turn should not have a page in memory meanwhile.
  const pages = walkBack(db, { query, budget, mayReadAhead: () => looking.waiting === 0 });
  const finder = new Finder(search);
  const breathe = createBreather(signal);
  for (;;) {
    const found = await looking.run(
      owner,
      async () => finder.lookAt((await pages.next()).value as ChunkPage, breathe),
      signal,
    );
    if (found) return found;
  }
}

/** What a search has found on its way back. */
class Finder {
  readonly #matcher: ChunkMatcher;
  readonly #limit: number;
  /** The newest first. */
  readonly #entries: NumberedEntry[] = [];
  #characters = 0;
  /** How far it has come. */
  #beforeLine: number | undefined;

  constructor({ filter, limit, beforeLine }: LogSearch) {
    this.#matcher = new ChunkMatcher(filter);
    this.#limit = limit;
    this.#beforeLine = beforeLine;
  }

  /** Null when it has to go on. */
  async lookAt({ chunks, isLast, isEnd }: ChunkPage, breathe: Breathe): Promise<FoundLines | null> {
    for (const chunk of chunks) {
      for (const entry of this.#matcher.newestFirst(chunk, this.#beforeLine)) {
        this.#entries.push(entry);
        this.#characters += entry.message.length;
        const isFull = this.#entries.length >= this.#limit || this.#characters >= MAX_FOUND_CHARACTERS;
        if (isFull) return this.#found(entry.line > 1 ? entry.line : null);
      }
      this.#beforeLine = chunk.firstLine;
      await breathe();
    }
    return isEnd ? this.#found(isLast ? null : this.#beforeLine!) : null;
  }

  #found(beforeLine: number | null): FoundLines {
    return { entries: this.#entries.toReversed(), beforeLine };
  }
}
