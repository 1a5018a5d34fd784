import { setTimeout as delay } from 'node:timers/promises';
import type { Db, Store } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { encodeEntries } from '../../logs/log-chunk.ts';
import { appendChunks } from '../../logs/log-store.ts';
import { hasLivingEdge } from '../../routing/route-store.ts';
import type { Instance, Runtime } from '../../runtime/runtime.ts';
import { stopNews } from './scale-news.ts';

export interface EndInstancesDeps {
  store: Pick<Store, 'db'>;
  runtime: Pick<Runtime, 'list' | 'stop'>;
  log: Log;
}

/** The whole platform stops within a few seconds: edges first, which finish what they have, then what they needed. */
const EDGES_MS = 2500;
const LOOK_MS = 50;
const GRACE_MS = 1000;
const TELL_MS = 1000;

/**
 * Ends every instance of this host, and says so in the logs of their environments. What is not ended in time is
 * found by the next start.
 */
export async function endInstances({ store, runtime, log }: EndInstancesDeps): Promise<void> {
  const instances = await runtime.list();
  if (instances.length === 0) return;
  const deadline = Date.now() + EDGES_MS;
  while (Date.now() < deadline && (await hasLivingEdge(store.db))) await delay(LOOK_MS);
  const telling = tellSoon({ store, log }, instances);
  const ended = await Promise.allSettled(instances.map(({ id }) => runtime.stop(id, { graceMs: GRACE_MS })));
  for (const end of ended) if (end.status === 'rejected') log.warn({ err: end.reason }, 'an instance cannot be ended');
  await telling;
}

/** Never fails, and is not waited for long: the platform stops, with or without a store. */
async function tellSoon({ store, log }: Pick<EndInstancesDeps, 'store' | 'log'>, instances: readonly Instance[]) {
  const running = instances.filter(({ exit }) => exit === null);
  const told = tell(store.db, running).catch((error: unknown) =>
    log.warn({ err: error }, 'the end of instances is not in their logs'),
  );
  await Promise.race([told, delay(TELL_MS, undefined, { ref: false })]);
}

async function tell(db: Db, instances: readonly Instance[]): Promise<void> {
  const atMs = Date.now();
  const byEnvironment = Map.groupBy(instances, ({ environmentId }) => environmentId);
  const batches = await Promise.all(
    [...byEnvironment].map(async ([environmentId, some]) => {
      const ids = new Set(some.map(({ deploymentId }) => deploymentId));
      const deploymentId = ids.size === 1 ? some[0]!.deploymentId : null;
      const entry = { atMs, ...stopNews(some.length), instanceId: null, deploymentId };
      return { environmentId, chunks: await encodeEntries([entry]) };
    }),
  );
  await db.transaction().execute((tx) => appendChunks(tx, batches));
}
