import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../db/pool.ts';
import { edgesBehind } from '../../routing/route-store.ts';

const PATIENCE_MS = 1000;
/** Longer than an edge that has died is waited for: after this, every edge that lives has closed the address. */
export const UNTIL_ALL_FOLLOWED_MS = 12_000;
const LOOK_AGAIN_MS = 5;

/**
 * Gives the edges a moment, so that whoever is told of a new address finds it there and the old one gone.
 * One that takes longer follows later all the same; nobody is told that anything failed.
 */
export async function letEdgesFollow(db: Db, version: number | null, patienceMs = PATIENCE_MS): Promise<void> {
  if (version === null) return;
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline && (await edgesBehind(db, version)).length > 0) await delay(LOOK_AGAIN_MS);
}
