import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { hasLivingEdge } from '../../routing/route-store.ts';
import type { Runtime } from '../../runtime/runtime.ts';

export interface EndInstancesDeps {
  store: Pick<Store, 'db'>;
  runtime: Pick<Runtime, 'list' | 'stop'>;
  log: Log;
}

/** The whole platform stops within a few seconds: edges first, which finish what they have, then what they needed. */
const EDGES_MS = 2500;
const LOOK_MS = 50;
const GRACE_MS = 1000;

/** Ends every instance of this host. What is not ended in time is found by the next start. */
export async function endInstances({ store, runtime, log }: EndInstancesDeps): Promise<void> {
  const instances = await runtime.list();
  if (instances.length === 0) return;
  const deadline = Date.now() + EDGES_MS;
  while (Date.now() < deadline && (await hasLivingEdge(store.db))) await delay(LOOK_MS);
  const ended = await Promise.allSettled(instances.map(({ id }) => runtime.stop(id, { graceMs: GRACE_MS })));
  for (const end of ended) if (end.status === 'rejected') log.warn({ err: end.reason }, 'an instance cannot be ended');
}
