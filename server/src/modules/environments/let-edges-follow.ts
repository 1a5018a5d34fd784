import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../db/pool.ts';
import { RETURN_MS } from '../../db/return-time.ts';
import { FIRST_NAP_MS, nextNapMs } from '../../routing/nap-for-edges.ts';
import { edgesBehind } from '../../routing/route-store.ts';

export interface Patience {
  patienceMs: number;
  /** Who is silent is waited for until then: it may be that the store was away. */
  returnMs: number;
}

const MOMENT: Patience = { patienceMs: 1000, returnMs: RETURN_MS };
/** Longer than an edge that has died is waited for: after this, every edge that lives has closed the address. */
export const UNTIL_ALL_FOLLOWED: Patience = { patienceMs: RETURN_MS + 2500, returnMs: RETURN_MS };

/**
 * Gives the edges a moment, so that whoever is told of a new address finds it there and the old one gone.
 * One that takes longer follows later all the same; nobody is told that anything failed.
 */
export async function letEdgesFollow(db: Db, version: number | null, patience = MOMENT): Promise<void> {
  if (version === null) return;
  const startedAt = performance.now();
  for (let napMs = FIRST_NAP_MS; ; napMs = nextNapMs(napMs)) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= patience.patienceMs) return;
    const behind = await edgesBehind(db, version, { mayReturn: waitedMs < patience.returnMs });
    if (behind.length === 0) return;
    await delay(napMs);
  }
}
