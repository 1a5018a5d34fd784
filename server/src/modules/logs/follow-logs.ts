import { LineReader } from './line-reader.ts';
import { severityMask, type LogFilter } from './log-filter.ts';
import type { LogHub } from './log-hub.ts';
import { oldestKept } from './retention.ts';
import { searchLogs, type SearchDeps } from './search-logs.ts';
import type { LogStreamItem } from './hub-chunk.ts';

export interface FollowDeps extends SearchDeps {
  logHub: LogHub;
}

export interface Follow {
  environmentId: string;
  organisationId: string;
  filter: Pick<LogFilter, 'severities' | 'textSearch'>;
  /** Begin with so many earlier lines that match. */
  lines: number;
  lastEventId: string | null;
  signal: AbortSignal;
}

/** Whoever wants few lines of many is told now and then how far it is, to come back there. */
const TELL_PLACE_MS = 1000;

/** The lines after the last one that the client has, then those that come. Ends when it is aborted. */
export async function* followLogs(deps: FollowDeps, follow: Follow): AsyncGenerator<LogStreamItem[]> {
  const { environmentId, filter, signal } = follow;
  const reader = new LineReader({ ...filter, startTime: oldestKept(deps.clock.now()) });
  const mask = severityMask(filter.severities);
  let head: number | null = await deps.logHub.head(environmentId);
  let line = resumed(follow, head) ?? (await firstStart(deps, follow, head));
  if (line === null) return;
  // Who loses the connection before the first line comes back to here.
  yield [{ id: String(line) }];
  let toldAtMs = performance.now();
  while (!signal.aborted) {
    if (head <= line) head = await deps.logHub.untilAfter(environmentId, line, signal);
    if (head === null) return;
    const chunks = await deps.logHub.read({ environmentId, line, head, severityMask: mask });
    for (const chunk of chunks) {
      for (const batch of reader.batchesAfter(line, chunk)) {
        yield batch;
        if (signal.aborted) return;
        toldAtMs = performance.now();
      }
      line = chunk.lastLine;
    }
    // None of those up to the newest is of these severities, or they were too old to be kept.
    if (chunks.length === 0) line = head;
    if (performance.now() - toldAtMs < TELL_PLACE_MS) continue;
    yield [{ id: String(line) }];
    toldAtMs = performance.now();
  }
}

/**
 * Anybody may send anything: what is no number of a line that was here is as good as nothing. So it is when a
 * restored platform counts anew.
 */
function resumed({ lastEventId }: Follow, head: number): number | null {
  if (lastEventId === null || !/^\d{1,15}$/.test(lastEventId)) return null;
  const line = Number(lastEventId);
  return line <= head ? line : null;
}

/** Whoever looks for something rare gets as many as are found soon; for the rest there is the search. */
const START_BUDGET = { chunks: 200, bytes: 16 * 1024 * 1024 };

/** The line before the first of the earlier ones that are wanted; null when it is aborted. */
async function firstStart(deps: FollowDeps, follow: Follow, head: number): Promise<number | null> {
  const { environmentId, organisationId, filter, lines, signal } = follow;
  if (lines === 0) return head;
  // On an account of its own: whoever begins to follow waits for no long search of the same organisation.
  const owner = `${organisationId} follows`;
  const search = { environmentId, owner, filter, limit: lines, beforeLine: head + 1, signal };
  try {
    const { entries } = await searchLogs(deps, search, START_BUDGET);
    return entries.length > 0 ? entries[0]!.line - 1 : head;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
