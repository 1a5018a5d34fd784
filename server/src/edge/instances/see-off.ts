import { setTimeout as delay } from 'node:timers/promises';
import type { GateWorld } from './gate-world.ts';
import type { Upstream } from './upstream.ts';

/** Most have finished by then. */
const FIRST_LOOK_MS = 1000;
/** One whose machine is there finishes what it has, however long that takes. */
const LATER_LOOK_MS = 10_000;
/** So many times in a row: a machine may be very busy for a moment. */
const SILENCES_OF_A_LOST_ONE = 2;

/**
 * An instance takes no more requests, and has some. It may have been withdrawn because its machine is lost, of which
 * connections hear nothing: then who waits for its answers is told so, instead of waiting for one that cannot come.
 */
export async function seeOff(upstream: Upstream, { knock }: Pick<GateWorld, 'knock'>): Promise<void> {
  const { pool } = upstream;
  let silences = 0;
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = silences > 0 ? FIRST_LOOK_MS : LATER_LOOK_MS) {
    await delay(waitMs, undefined, { ref: false });
    if (pool.counts.open === 0) return;
    silences = (await knock(pool.address)) === 'silent' ? silences + 1 : 0;
    if (silences === SILENCES_OF_A_LOST_ONE) return pool.close();
  }
}
