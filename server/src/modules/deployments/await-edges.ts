import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../db/pool.ts';
import { readEdges } from '../../routing/route-store.ts';

export interface ReleaseTiming {
  /** How long an edge may take; longer than a dead one is waited for. */
  followMs: number;
  /** How long there may be none at all: they may be restarting. */
  absentMs: number;
}

export const releaseTiming: ReleaseTiming = { followMs: 20_000, absentMs: 30_000 };

/** Often at first, since edges follow within milliseconds. */
const FIRST_NAP_MS = 4;
const LONGEST_NAP_MS = 100;
/**
 * After an outage of the store every edge looks as if it were gone, until it has reported again, which one that
 * lives does within this time.
 */
const RETURN_MS = 2500;

/** Resolves to null when every living edge serves by the version; otherwise to what to tell a person. */
export async function awaitEdges(
  db: Db,
  { version, timing, signal }: { version: number; timing: ReleaseTiming; signal: AbortSignal },
): Promise<string | null> {
  const startedAt = performance.now();
  for (let napMs = FIRST_NAP_MS; ; napMs = Math.min(napMs * 1.3, LONGEST_NAP_MS)) {
    await delay(napMs, undefined, { signal });
    const edges = await readEdges(db, version);
    const waitedMs = performance.now() - startedAt;
    const living = edges.filter(({ isOverdue }) => !isOverdue);
    const behind = living.flatMap(({ name, isBehind }) => (isBehind ? name : []));
    const mayReturn = waitedMs < RETURN_MS && edges.some(({ isOverdue, isBehind }) => isOverdue && isBehind);
    const isThere = living.length > 0;
    if (isThere && behind.length === 0 && !mayReturn) return null;
    if (!isThere && waitedMs > timing.absentMs) {
      return 'The release could not be confirmed: no edge is running. Start one, then try again.';
    }
    if (behind.length > 0 && waitedMs > timing.followMs) {
      return `The release could not be confirmed: ${behind.join(', ')} did not follow. What was served before is served again.`;
    }
  }
}
