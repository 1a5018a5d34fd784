import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../db/pool.ts';
import { RETURN_MS } from '../../db/return-time.ts';
import { FIRST_NAP_MS, nextNapMs } from '../../routing/nap-for-edges.ts';
import { readEdges } from '../../routing/route-store.ts';

export interface ReleaseTiming {
  /** How long an edge may take; longer than a dead one is waited for. */
  followMs: number;
  /** How long there may be none at all: they may be restarting. */
  absentMs: number;
  /** Who is silent is waited for until then: it may be that the store was away. */
  returnMs: number;
}

export const releaseTiming: ReleaseTiming = { followMs: 20_000, absentMs: 30_000, returnMs: RETURN_MS };

/** Resolves to null when every living edge serves by the version; otherwise to what to tell a person. */
export async function awaitEdges(
  db: Db,
  { version, timing, signal }: { version: number; timing: ReleaseTiming; signal: AbortSignal },
): Promise<string | null> {
  const startedAt = performance.now();
  for (let napMs = FIRST_NAP_MS; ; napMs = nextNapMs(napMs)) {
    await delay(napMs, undefined, { signal });
    const edges = await readEdges(db, version);
    const waitedMs = performance.now() - startedAt;
    const living = edges.filter(({ isOverdue }) => !isOverdue);
    const behind = living.flatMap(({ name, isBehind }) => (isBehind ? name : []));
    const mayReturn = waitedMs < timing.returnMs && edges.some(({ isOverdue, isBehind }) => isOverdue && isBehind);
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
