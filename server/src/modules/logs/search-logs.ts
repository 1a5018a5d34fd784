import type { Db, Store } from '../../db/pool.ts';
import { createBreather } from '../../lib/breather.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalid } from '../../lib/fault.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { NumberedEntry } from '../../logs/log-entry.ts';
import { ChunkMatcher } from './chunk-matcher.ts';
import { severityMask, type LogFilter } from './log-filter.ts';
import { oldestKept } from './retention.ts';
import { walkBack, type SearchBudget } from './walk-back.ts';

export interface SearchDeps {
  store: Pick<Store, 'db'>;
  clock: Clock;
}

export interface LogSearch {
  environmentId: string;
  filter: LogFilter;
  limit: number;
  /** Only what is before this line. */
  beforeLine?: number;
}

export interface FoundLines {
  /** The oldest first. */
  entries: NumberedEntry[];
  /** Where to go on for older ones; null when there are none. */
  beforeLine: number | null;
}

const usualBudget: SearchBudget = { chunks: 4000, bytes: 64 * 1024 * 1024 };
/** Whoever comes while so many are searching waits for a turn. */
const searching = createSemaphore(4);
const DAY_MS = 24 * 60 * 60 * 1000;

/** The newest lines that match. By their numbers, which is the order in which they were stored. */
export async function searchLogs(
  { store, clock }: SearchDeps,
  search: LogSearch,
  budget: SearchBudget = usualBudget,
): Promise<FoundLines> {
  const filter = withinRetention(search.filter, clock.now());
  if (filter === null) return { entries: [], beforeLine: null };
  return searching.run(() => lookBack(store.db, { ...search, filter }, budget));
}

/** Null when nothing can match. Times far from now are kept from the store. */
function withinRetention(filter: LogFilter, now: Date): LogFilter | null {
  const { startTime, endTime } = filter;
  if (startTime && endTime && startTime > endTime) throw invalid('filters.startTime: is after filters.endTime.');
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
  const { environmentId, filter, limit } = search;
  const { startTime, endTime } = filter;
  const matcher = new ChunkMatcher(filter);
  const breathe = createBreather();
  const found: NumberedEntry[] = [];
  let { beforeLine } = search;
  const query = { environmentId, beforeLine, startTime, endTime, severityMask: severityMask(filter.severities) };
  const chunks = walkBack(db, query, budget);
  for (;;) {
    const { value, done: isOver } = await chunks.next();
    if (isOver) return { entries: found.toReversed(), beforeLine: value ? null : beforeLine! };
    for (const entry of matcher.newestFirst(value, beforeLine)) {
      found.push(entry);
      if (found.length < limit) continue;
      return { entries: found.toReversed(), beforeLine: entry.line > 1 ? entry.line : null };
    }
    beforeLine = value.firstLine;
    await breathe();
  }
}
